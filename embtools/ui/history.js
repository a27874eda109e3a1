// One history entry for each press of a button, option, tab or fold, none for typing and sliding; and Back told to Python.
// Streamlit pushes an entry whenever the address changes, and changes the address on Back without telling the page.
const PRESSED = 'button, summary, [role="tab"], [role="option"], input[type="file"]';
const TYPED = '[data-testid^="stNumberInput"], [data-testid="stElementToolbar"]';
const LINKS = '[data-testid="stPageLink"] a, a[data-testid^="stPageLink"]';
const MEMORY = 30000; // ms after which a press no longer explains a change: a long queue may lie between

function install() {
  const push = history.pushState.bind(history);
  const state = { tell: () => {}, pressed: 0, leaving: 0, path: location.pathname };

  const note = (event) => {
    const at = event.target.closest ? event.target : document.body;
    if (at.closest(LINKS)) state.leaving = Date.now();
    else if (at.closest(PRESSED) && !at.closest(TYPED)) state.pressed = Date.now();
  };
  document.addEventListener('click', note, true);
  document.addEventListener('change', note, true);
  document.addEventListener('drop', () => (state.pressed = Date.now()), true);

  history.pushState = (data, title, url) => {
    const to = new URL(url, location.href);
    if (to.pathname !== location.pathname) {
      Object.assign(state, { path: to.pathname, pressed: 0, leaving: 0 });
      return push(data, title, url);
    }
    if (to.search === location.search) return;
    // On the way to another page Streamlit first empties this page's address: its entry would come back empty.
    if (Date.now() - state.leaving < 1000 && !to.search) return;
    if (Date.now() - state.pressed < MEMORY) push(data, title, url);
    else history.replaceState(data, title, url);
    state.pressed = 0;
  };
  window.addEventListener('popstate', () => {
    const stayed = state.path === location.pathname;
    state.path = location.pathname;
    if (stayed) state.tell(location.search);
  });
  return state;
}

export default function ({ setStateValue }) {
  window.explorerHistory = window.explorerHistory || install();
  // Two equal values in a row would be one to Streamlit: the time makes each a new one.
  window.explorerHistory.tell = (query) => setStateValue('address', query + '#' + Date.now());
}
