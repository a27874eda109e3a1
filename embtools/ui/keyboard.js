// The keyboard: a window that opens (Link, Room, Build an edit …) takes the focus and gives it back to its button, and the
// examples of a tab are one stop, between which the arrow keys move.
const WINDOW = '[data-testid="stPopoverBody"]';
const OPENER = '[data-testid="stPopoverButton"]';
const OVERLAY = '[data-st-overlay-root]'; // windows and the lists of their fields
const FOCUSABLE = ':is(a[href], button, input, select, textarea, summary, [tabindex="0"]):not(:disabled)';
const EXAMPLES = '.st-key-examples';
const TRIES = 60; // frames until a window that opens can take the focus

function keyboard() {
  let opener = null;
  let opened = null;
  let tabbed = false;
  let due = 0;
  document.addEventListener('click', ({ target }) => (opener = target.closest?.(OPENER) || opener), true);
  document.addEventListener('keydown', (event) => {
    tabbed = event.key === 'Tab';
    // As long as the window's content is on its way, Tab would lead out of the document.
    const within = tabbed && opened?.isConnected && opened.contains(document.activeElement);
    if (within && !opened.querySelector(FOCUSABLE)) event.preventDefault();
  }, true);
  // The window is the last part of the document: from its end, Tab would lead through the whole page behind it.
  document.addEventListener('focusin', ({ target }) => {
    if (tabbed && opened?.isConnected && !target.closest(OVERLAY)) opened.focus({ preventScroll: true });
  });

  const enter = (tries) => {
    if (!opened?.isConnected || opened.contains(document.activeElement)) return;
    opened.focus({ preventScroll: true }); // it does nothing as long as the window is not in its place
    if (tries && document.activeElement !== opened) requestAnimationFrame(() => enter(tries - 1));
  };
  const windows = () => {
    const now = document.querySelector(WINDOW);
    if (now === opened) return;
    opened = now;
    if (now) {
      now.tabIndex = -1;
      enter(TRIES);
    } else if (document.activeElement === document.body && opener) {
      const key = [...(opener.closest('[class*="st-key-"]')?.classList || [])].find((each) => each.startsWith('st-key-'));
      (opener.isConnected ? opener : document.querySelector(`.${key} ${OPENER}`))?.focus({ preventScroll: true });
    }
  };

  const stop = (buttons, chosen) => buttons.forEach((each) => (each.tabIndex = each === chosen ? 0 : -1));
  const examples = () => {
    for (const row of document.querySelectorAll(EXAMPLES)) {
      const buttons = [...row.querySelectorAll('button')];
      if (buttons.filter((each) => each.tabIndex === 0).length === 1) continue; // the buttons of a rerun are the same
      row.setAttribute('role', 'toolbar');
      row.setAttribute('aria-label', 'Examples');
      stop(buttons, buttons.find((each) => each === document.activeElement) || buttons[0]);
    }
  };
  document.addEventListener('keydown', (event) => {
    const row = event.target.closest?.(EXAMPLES);
    const buttons = row ? [...row.querySelectorAll('button')] : [];
    const at = buttons.indexOf(event.target);
    const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: buttons.length - 1 }[event.key];
    if (at < 0 || to === undefined || event.ctrlKey || event.altKey || event.metaKey) return;
    event.preventDefault();
    const next = buttons[(to + buttons.length) % buttons.length];
    stop(buttons, next);
    next.focus();
  });

  const look = () => {
    due = 0;
    windows();
    examples();
  };
  new MutationObserver(() => (due ||= requestAnimationFrame(look))).observe(document.body, { childList: true, subtree: true });
  look();
}
