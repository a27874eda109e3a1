// One history entry for each press of a button, option, tab or expander and for each finished text, none for sliders and for
// text that is still being typed; and Python is told of Back and Forward.
// Streamlit pushes an entry whenever the address changes, and changes the address on Back without telling the page.
// What gets lost between the browser and Python is asked for again.
const PRESSED = 'button, summary, [role="tab"], [role="option"], input[type="file"]';
const TYPED = '[data-testid^="stNumberInput"], [data-testid="stElementToolbar"], .st-key-menu'; // no entry of its own
const TEXTS = '[data-testid="stTextInput"] input, [data-testid="stTextArea"] textarea';
const POPOVER = '[data-testid="stPopoverButton"][aria-expanded="true"]'; // the button of an open one
const ELEMENT = '[data-testid="stElementContainer"]';
const OPENED = '[data-testid="stTabPanel"], details[open] > [data-testid="stExpanderDetails"]'; // tabs: also hidden ones
const LINKS = '[data-testid="stPageLink"] a, a[data-testid^="stPageLink"]';
const MEMORY = 30000; // ms after which a click no longer explains a change: a busy machine may answer late
const PAUSE = 3000; // ms in which Python hears of a press, or of a step back or forward
const DRAWN = 100; // ms after a change: asking what is visible during a rerun would cost one more layout of the page
const TIMES = 3; // how often it is told again, and how often a tab opens an empty window again

function install() {
  const push = history.pushState.bind(history);
  // sent, heard: the last step back or forward of which Python was told, and the last one whose fields it has set.
  const state = {
    tell: () => {}, ask: () => {}, sent: null, heard: null, pressed: 0, leaving: 0, path: location.pathname,
    text: null, before: '',
  };

  // Streamlit may have completed the address of a link before this script was there, in an entry of its own: then Back
  // would need two presses.
  const first = window.navigation?.entries()[navigation.currentEntry?.index - 1];
  if (first?.sameDocument && new URL(first.url).pathname === location.pathname) {
    const complete = location.href;
    const stay = (event) => {
      event.stopImmediatePropagation();
      history.replaceState(history.state, '', complete);
      // Chromium lets Streamlit's older listener hear of the step first. So Streamlit is told where it ended, or it would
      // open the incomplete address after a lost connection; Python need not be told.
      state.path = '';
      dispatchEvent(new PopStateEvent('popstate'));
    };
    addEventListener('popstate', stay, { once: true, capture: true });
    history.back();
  }

  // A press on a link to another page closes an open popover, and the browser reports that to Python after the press: the
  // report would lead back to this page without its address, or leave the next page empty. So the press waits for it.
  const wait = (event) => {
    const link = event.target.closest?.(LINKS), open = document.querySelector(POPOVER);
    if (!link || !open || !event.isTrusted || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    open.click();
    const begun = Date.now();
    const closed = () => !document.querySelector(POPOVER) || Date.now() - begun > 1000;
    const go = () => (closed() ? setTimeout(() => link.click(), 100) : setTimeout(go, 50));
    go();
  };
  document.addEventListener('click', wait, true);

  const note = (event) => {
    const at = event.target.closest ? event.target : document.body;
    const link = at.closest(LINKS);
    const leaves = link && link.pathname !== location.pathname && !event.ctrlKey && !event.metaKey && !event.shiftKey;
    if (event.type === 'click') state.leaving = leaves ? Date.now() : 0;
    if (!link && at.closest(PRESSED) && !at.closest(TYPED)) state.pressed = Date.now();
  };
  document.addEventListener('click', note, true);
  document.addEventListener('change', note, true);
  // A text is finished where Streamlit sends it: when the field is left, or at Enter (Control and Enter in a large one).
  const typing = (event) => {
    if (!event.target.matches?.(TEXTS) || state.text === event.target) return;
    Object.assign(state, { text: event.target, before: event.type === 'beforeinput' ? event.target.value : null });
  };
  const finished = (event) => {
    if (!state.text || event.target !== state.text) return;
    if (event.type === 'keydown') {
      const sends = event.key === 'Enter' && (event.target.tagName === 'INPUT' || event.ctrlKey || event.metaKey);
      if (!sends || event.isComposing) return;
    }
    if (state.text.value !== state.before) state.pressed = Date.now();
    state.text = null;
  };
  document.addEventListener('beforeinput', typing, true);
  document.addEventListener('input', typing, true);
  document.addEventListener('keydown', finished, true);
  document.addEventListener('focusout', finished, true);
  document.addEventListener('drop', () => (state.pressed = Date.now()), true);

  history.pushState = (data, title, url) => {
    const to = new URL(url, location.href);
    if (to.pathname !== location.pathname) {
      Object.assign(state, { path: to.pathname, pressed: 0, leaving: 0, sent: null });
      return push(data, title, url);
    }
    if (to.search === location.search) return;
    // On the way to another page its parameters, or none, may arrive before its path: this page's entry keeps its own.
    if (Date.now() - state.leaving < MEMORY) return;
    if (Date.now() - state.pressed < MEMORY) push(data, title, url);
    else history.replaceState(data, title, url);
    state.pressed = 0;
  };
  // On a busy machine a value can get lost between the browser and a run that is just ending. Then the page rests with the
  // fields of another address; so it is sent again.
  const resting = () => document.querySelector('[data-test-script-state="notRunning"]');
  const tell = (times = TIMES) => {
    // Two equal values in a row would be one to Streamlit: the time makes each a new one.
    state.sent = `${location.search}#${Date.now()}`;
    state.tell(state.sent);
    clearTimeout(state.again);
    const check = () => {
      if (!state.sent || state.sent === state.heard) return;
      if (resting()) { if (times) tell(times - 1); }
      else state.again = setTimeout(check, PAUSE);
    };
    state.again = setTimeout(check, PAUSE);
  };
  window.addEventListener('popstate', () => {
    const stayed = state.path === location.pathname;
    state.path = location.pathname;
    state.sent = null;
    if (stayed) tell();
  });

  // A part of a page that was asked to draw itself alone after the visitor had left the page takes the elements of the
  // next page away (Streamlit 1.67). A page that rests without any element is drawn again, as Back would draw it.
  const EMPTY = 500; // ms
  let emptied = null;
  const refill = () => {
    const main = document.querySelector('[data-testid="stMain"]');
    if (!main || !resting() || main.querySelector(ELEMENT)) { emptied = null; return; }
    emptied ??= setTimeout(() => {
      emptied = null;
      if (!resting() || main.querySelector(ELEMENT)) return;
      state.path = ''; // as after a change of the page: Python need not be told of a step
      dispatchEvent(new PopStateEvent('popstate'));
    }, EMPTY);
  };
  // After an error in Streamlit's own script the window is empty. The address has most of what was shown, so the page is
  // opened again, a few times in a tab. As at any reload, uploaded files are lost.
  const gone = () => !document.querySelector('[data-testid="stApp"]');
  let reopening = null;
  const reopen = () => {
    if (!gone()) return;
    reopening ??= setTimeout(() => {
      reopening = null;
      try {
        const times = Number(sessionStorage.getItem('explorer-reopened'));
        if (!gone() || times >= TIMES) return;
        sessionStorage.setItem('explorer-reopened', times + 1);
        location.reload();
      } catch { /* no storage: nothing would end a loop */ }
    }, EMPTY);
  };
  // A press gets lost while the connection is away, and so does the first one that reaches a server that has just started:
  // it takes the page from its address. So Python is asked again when the connection is back, and when a tab or an
  // expander that the visitor has opened stays empty.
  const connected = () => document.querySelector('[data-test-connection-state="CONNECTED"]');
  const hollow = () => [...document.querySelectorAll(OPENED)].some(
    (part) => !part.querySelector(ELEMENT) && part.checkVisibility?.(),
  );
  let lost = false, asked = 0, waiting = null, due = null;
  const look = () => {
    due = null;
    if (!hollow()) { asked = 0; return; }
    waiting ??= setTimeout(() => {
      waiting = null;
      if (connected() && resting() && hollow() && asked++ < TIMES) state.ask(Date.now());
    }, PAUSE);
  };
  const repair = () => {
    if (!connected()) { lost = true; return; }
    if (lost) { lost = false; state.ask(Date.now()); }
    due ??= setTimeout(look, DRAWN);
  };
  new MutationObserver(() => { refill(); repair(); reopen(); }).observe(document.body, {
    subtree: true, childList: true, attributes: true,
    attributeFilter: ['data-test-script-state', 'data-test-connection-state'],
  });
  return state;
}

export default function ({ data, setStateValue }) {
  window.explorerHistory = window.explorerHistory || install();
  window.explorerHistory.heard = data;
  window.explorerHistory.tell = (address) => setStateValue('address', address);
  window.explorerHistory.ask = (time) => setStateValue('asked', time);
}
