// Keys and buttons of a presentation: they go to the address of a step as Back and Forward would, so that the page keeps
// its session; a black screen; a ring at the row, cell or mark that was clicked last; and no labels over each other.
const FIELDS = 'input, textarea, select, [contenteditable="true"], [role="slider"], [role="combobox"], [role="spinbutton"], [role="radio"], [role="tab"], [role="option"], [role="listbox"], [role="dialog"] *';
const PICTURES = '.js-plotly-plot, [data-testid="stDataFrame"], table';
const NEXT = ['PageDown', 'ArrowRight'], BEFORE = ['PageUp', 'ArrowLeft'], SCROLL = { ArrowDown: 0.4, ArrowUp: -0.4 }, BLACK = ['b', 'B', '.'];

// The corners of a text on the screen, without the room above and below its letters.
function corners(text) {
  const { x, y, width, height: whole } = text.getBBox(), to = text.getScreenCTM();
  const lines = [...text.querySelectorAll('tspan.line')]; // an empty last line only lifts a name above its mark
  const height = lines.length ? (whole * (lines.findLastIndex((line) => line.textContent.trim()) + 1)) / lines.length : whole;
  return [[x, y + 0.1 * height], [x + width, y + 0.1 * height], [x + width, y + 0.85 * height], [x, y + 0.85 * height]]
    .map(([a, b]) => [to.a * a + to.c * b + to.e, to.b * a + to.d * b + to.f]);
}

// Whether two quadrilaterals overlap: no side of either separates them.
function overlap(one, other) {
  for (const shape of [one, other]) {
    for (let i = 0; i < 4; i++) {
      const [a, b] = shape[i], [c, d] = shape[(i + 1) % 4];
      const along = (points) => points.map(([x, y]) => x * (b - d) + y * (c - a));
      const first = along(one), second = along(other);
      if (Math.max(...first) <= Math.min(...second) || Math.max(...second) <= Math.min(...first)) return false;
    }
  }
  return true;
}

// Hides labels of marks that would lie over another text: names of groups, which are bold, stay first.
function separate(plot, showing) {
  const texts = [...plot.querySelectorAll('.main-svg text')].filter((text) => text.textContent.trim() && !text.closest('.hoverlayer, .modebar'));
  const labels = texts.filter((text) => text.closest('.scatterlayer, .barlayer'));
  labels.forEach((text) => { if (text.dataset.over) { text.style.visibility = ''; delete text.dataset.over; } });
  if (!showing) return;
  const weight = (text) => Math.max(...[text, ...text.querySelectorAll('tspan')].map((part) => Number(getComputedStyle(part).fontWeight) || 400));
  const kept = texts.filter((text) => !labels.includes(text)).map(corners);
  for (const [text] of labels.map((text) => [text, weight(text)]).sort((a, b) => b[1] - a[1])) {
    const own = corners(text);
    if (kept.some((other) => overlap(own, other))) { text.style.visibility = 'hidden'; text.dataset.over = ''; } else kept.push(own);
  }
}

function install() {
  const own = { data: null };
  const black = document.body.appendChild(document.createElement('div'));
  Object.assign(black.style, { position: 'fixed', inset: 0, background: '#000', zIndex: 1000001, cursor: 'none' });
  black.dataset.black = '';
  black.hidden = true;
  black.addEventListener('click', () => (black.hidden = true));
  const ring = document.body.appendChild(document.createElement('div'));
  Object.assign(ring.style, {
    position: 'fixed', width: '64px', height: '64px', margin: '-32px 0 0 -32px', border: '5px solid #D55E00', borderRadius: '50%',
    boxSizing: 'border-box', pointerEvents: 'none', zIndex: 1000000,
  });
  ring.dataset.ring = '';
  ring.hidden = true;
  const showing = () => own.data && new URLSearchParams(location.search).has('present');

  own.go = (step) => {
    const { page, steps, own: query } = own.data, parameters = new URLSearchParams();
    const end = step === null, chosen = steps[step - 1]; // an empty one is Home, as it is at the start
    const [to, search = ''] = chosen === undefined ? [page, query] : chosen.split('?');
    for (const [key, value] of new URLSearchParams(search)) if (key !== 'step_name') parameters.append(key, value);
    if (!end) { parameters.append('present', 'true'); if (step) parameters.append('step', step); }
    for (const each of steps) parameters.append('steps', each);
    const here = location.pathname.replace(/\/$/, '');
    const root = page && here.endsWith(`/${page}`) ? here.slice(0, -page.length - 1) : here;
    ring.hidden = black.hidden = true;
    History.prototype.pushState.call(history, null, '', `${root}/${to}${parameters.size ? `?${parameters}` : ''}`);
    dispatchEvent(new PopStateEvent('popstate'));
  };
  own.move = (by) => {
    const to = own.data.step + by;
    if (to >= 1 && to <= own.data.steps.length) own.go(to);
  };
  document.addEventListener('keydown', (event) => {
    if (!showing() || event.ctrlKey || event.altKey || event.metaKey) return;
    const at = event.composedPath()[0];
    if (at.closest?.(FIELDS) && event.key !== 'Escape') return;
    const by = NEXT.includes(event.key) ? 1 : BEFORE.includes(event.key) ? -1 : 0;
    if (by) { event.preventDefault(); if (black.hidden) own.move(by); else black.hidden = true; }
    else if (event.key in SCROLL) {
      event.preventDefault();
      document.querySelector('[data-testid="stMain"]')?.scrollBy(0, SCROLL[event.key] * innerHeight);
    } else if (BLACK.includes(event.key)) { event.preventDefault(); black.hidden = !black.hidden; }
    else if (event.key === 'Escape') { if (black.hidden) own.go(null); else black.hidden = true; }
  }, true);
  document.addEventListener('click', (event) => {
    ring.hidden = !showing() || !event.target.closest?.(PICTURES);
    ring.style.left = `${event.clientX}px`;
    ring.style.top = `${event.clientY}px`;
  }, true);
  document.addEventListener('scroll', () => (ring.hidden = true), true);
  let due = 0;
  const tidy = () => {
    due = 0;
    for (const plot of document.querySelectorAll('.js-plotly-plot')) {
      if (!plot.on || !plot.checkVisibility()) continue;
      if (!plot.explorerTidy) plot.on('plotly_afterplot', own.tidy);
      plot.explorerTidy = true;
      separate(plot, showing());
    }
  };
  own.tidy = () => { if (!due) due = setTimeout(tidy, 100); };
  new MutationObserver((changes) => {
    if (changes.some(({ target, addedNodes }) => addedNodes.length && !target.closest?.('svg'))) own.tidy();
  }).observe(document.body, { childList: true, subtree: true });
  return own;
}

export default function ({ data, parentElement }) {
  const presenter = (window.explorerPresenter = window.explorerPresenter || install());
  presenter.data = data;
  const part = (id) => parentElement.querySelector(`#${id}`);
  const name = data.names[data.step - 1];
  const many = data.steps.length, before = many ? `${many} step${many === 1 ? '' : 's'}` : '';
  part('at').textContent = data.step ? `${data.step} of ${many}${name ? ` · ${name}` : ''}` : before;
  for (const [id, by] of [['before', -1], ['next', 1]]) {
    part(id).onclick = () => presenter.move(by);
    part(id).hidden = !data.steps.length;
    part(id).disabled = data.step + by < 1 || data.step + by > data.steps.length;
    part(id).title = data.names[data.step + by - 1] || '';
  }
  presenter.tidy();
  part('end').onclick = () => presenter.go(null);
}
