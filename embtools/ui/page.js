// What style sheets cannot do: definitions that stay inside the window, a menu that closes, a head that knows of scrolling,
// a page that is printed as wide as the paper, saved charts that say what they show, new results that are read aloud.
const PAPER = 700; // px: the width of A4 and Letter paper between the margins of print.css
const EDGE = 8; // px between a definition and the edge of the window
const FILLED = 2000; // ms in which what opens in the menu is filled
const PAUSE = 500; // ms in which nothing changes before a new result is read aloud

function install() {
  const box = document.body.appendChild(document.createElement('div'));
  box.className = 'definition';
  box.setAttribute('aria-hidden', 'true'); // the term itself is described to those who do not see it
  box.hidden = true;
  let shown = null;

  const show = (term) => {
    shown = term;
    box.hidden = !term;
    if (!term) return;
    box.textContent = term.dataset.definition;
    const at = term.getClientRects()[0];
    const size = box.getBoundingClientRect();
    const left = Math.min(at.left, innerWidth - size.width - EDGE);
    const below = at.bottom + 4;
    const top = below + size.height + EDGE <= innerHeight ? below : at.top - size.height - 4;
    box.style.left = `${Math.max(EDGE, left)}px`;
    box.style.top = `${Math.max(EDGE, top)}px`;
  };
  const at = (event, selector) => (event.target.closest ? event.target.closest(selector) : null);
  const look = (event) => {
    const term = at(event, 'dfn');
    if (term) show(term);
    else if (shown && event.target !== box && document.activeElement !== shown) show(null);
  };
  document.addEventListener('pointerover', look);
  document.addEventListener('focusin', look);
  document.addEventListener('focusout', (event) => event.target === shown && show(null));
  document.addEventListener('pointerdown', (event) => shown && event.target !== box && !at(event, 'dfn') && show(null));
  document.addEventListener('keydown', (event) => event.key === 'Escape' && show(null));
  document.addEventListener('scroll', (event) => {
    show(null);
    if (at(event, '[data-testid="stMain"]')) document.documentElement.toggleAttribute('data-scrolled', event.target.scrollTop > 2);
  }, true);

  const shade = document.body.appendChild(document.createElement('div')); // shown by narrow.css while the menu is open
  shade.className = 'beside-menu';
  const close = () => document.querySelector('[data-testid="stSidebarCollapseButton"] button')?.click();
  shade.addEventListener('click', close);
  document.addEventListener('click', (event) => {
    if (at(event, '[data-testid="stSidebar"] a') && getComputedStyle(shade).display !== 'none') setTimeout(close);
  }, true);

  // What opens at the end of the menu would stay below the edge of the window; it is filled a moment after it opens.
  document.addEventListener('toggle', ({ target }) => {
    if (!target.open || !target.closest?.('[data-testid="stSidebar"]')) return;
    const follow = new ResizeObserver(() => target.scrollIntoView({ block: 'nearest' }));
    follow.observe(target);
    setTimeout(() => follow.disconnect(), FILLED);
  }, true);

  // Charts keep the width that they have on the screen, so the page keeps it as well and is made smaller as a whole.
  addEventListener('beforeprint', () => {
    const page = document.querySelector('[data-testid="stMainBlockContainer"]');
    const app = document.querySelector('[data-testid="stApp"]');
    if (!page || !app) return;
    const { paddingLeft, paddingRight } = getComputedStyle(page);
    const width = page.clientWidth - parseFloat(paddingLeft) - parseFloat(paddingRight);
    const root = document.documentElement;
    root.style.setProperty('--print-width', `${width}px`);
    root.style.setProperty('--print-zoom', Math.min(1, PAPER / width));
    root.toggleAttribute('data-dark', isDark());
  });

  // A saved chart gets a title and a caption: Plotly copies the layout as soon as its camera button is pressed.
  document.addEventListener('click', (event) => {
    const button = at(event, '.modebar-btn[data-title^="Download plot"]');
    const chart = button && button.closest('.js-plotly-plot');
    const texts = chart && chart._context.toImageButtonOptions;
    if (!texts || !texts.caption) return;
    const restore = caption(chart, texts);
    setTimeout(restore);
  }, true);

  readAloud();
  keyboard();
  return true;
}

// Screen readers do not notice that a page is drawn again: its new headlines, findings and problems are copied to a live
// region. A finding about one of two models is read after the model's title.
function readAloud() {
  const region = document.body.appendChild(document.createElement('div'));
  region.className = 'read-aloud';
  region.setAttribute('role', 'status');
  let before = new Set();
  let spoken = [];
  let pause = 0;
  const speak = () => {
    if (!document.querySelector('[data-test-script-state="notRunning"]')) return later();
    const main = document.querySelector('[data-testid="stMain"]');
    const seen = [...(main?.querySelectorAll('h2, .finding, [data-testid="stText"]') || [])].filter((part) => part.checkVisibility());
    const read = seen.filter((part) => part.dataset.testid !== 'stText' || part.textContent.startsWith('⚠'));
    const lines = read.map((part) => `${part.dataset.of ? `${part.dataset.of}: ` : ''}${part.innerText.trim()}`);
    const said = lines.filter((line) => line && !before.has(line));
    before = new Set(lines);
    if (said.length) spoken = said;
    else if (!spoken.every((line) => before.has(line))) spoken = []; // a result that is hidden again, such as in a room
    if (region.textContent !== spoken.join(' ')) region.textContent = spoken.join(' ');
  };
  const later = () => {
    clearTimeout(pause);
    pause = setTimeout(speak, PAUSE);
  };
  new MutationObserver((changes) => changes.some(({ target }) => target !== region) && later()).observe(document.body, {
    subtree: true, childList: true, characterData: true,
  });
  later();
}

function isDark() {
  const [red, green, blue] = getComputedStyle(document.querySelector('[data-testid="stApp"]')).backgroundColor.match(/\d+/g);
  return Number(red) + Number(green) + Number(blue) < 384;
}

// Streamlit does not run the page when the visitor or the system turns the theme to dark; charts have the colours of the run.
export default function ({ data, setStateValue }) {
  window.explorerPage = window.explorerPage || install();
  const compare = () => { if (isDark() !== data.dark) setStateValue('dark', isDark()); };
  clearTimeout(window.explorerColours);
  window.explorerColours = setTimeout(compare, PAUSE); // the new colours are not yet drawn
}
