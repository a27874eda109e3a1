// Moves words from their positions on the last map to those on the new one.
// Streamlit draws a changed figure as a new one, so each word starts at its position on the previous figure.
const MAPS = '.st-key-chart-map, .st-key-chart-second-map';
const PATIENCE = 500; // ms to wait for a figure's final size
const LASTS = { duration: 700, easing: 'cubic-bezier(.4, 0, .2, 1)' };

function install() {
  const seen = new Map(); // name of a map → its plot and the positions of its words
  const still = matchMedia('(prefers-reduced-motion: reduce)');

  const marks = (plot) =>
    [...plot.querySelectorAll('.scatterlayer .point, .scatterlayer .textpoint text')]
      .map((mark) => [word(mark), mark])
      .filter(([name]) => name);

  const places = (plot) => {
    const frame = plot.getBoundingClientRect();
    return marks(plot).map(([name, mark]) => {
      const box = mark.getBoundingClientRect();
      return [name, mark, box.x + box.width / 2 - frame.x, box.y + box.height / 2 - frame.y];
    });
  };

  const fly = (now, before) => {
    for (const [name, mark, x, y] of now) {
      const [fromX, fromY] = before.get(name) || [];
      const change =
        fromX === undefined
          ? [{ opacity: 0 }, {}]
          : Math.abs(fromX - x) + Math.abs(fromY - y) > 2
            ? [{ translate: `${fromX - x}px ${fromY - y}px` }, { translate: '0px 0px' }]
            : null;
      if (change) mark.animate(change, LASTS);
    }
  };

  const drawn = (map, plot) => {
    // Streamlit first draws a figure at its default height, then at that of its container: show only the second one.
    const sized = Math.abs(map.clientHeight - plot.clientHeight) < 3;
    plot.style.opacity = sized || performance.now() - plot.watched > PATIENCE ? '' : 0;
    const now = sized ? places(plot) : [];
    if (!now.length) return;
    const name = map.className.match(/st-key-(\S+)/)[1];
    const before = seen.get(name);
    if (before && before.plot !== plot && !still.matches) fly(now, before.places);
    seen.set(name, { plot, places: new Map(now.map(([word, , x, y]) => [word, [x, y]])) });
  };

  const watch = () => {
    for (const map of document.querySelectorAll(MAPS)) {
      const plot = map.querySelector('.js-plotly-plot');
      if (plot && plot.on && !plot.watched) {
        plot.watched = performance.now();
        plot.on('plotly_afterplot', () => drawn(map, plot));
        setTimeout(() => (plot.style.opacity = ''), PATIENCE);
        drawn(map, plot);
      }
    }
  };
  new MutationObserver(watch).observe(document.body, { childList: true, subtree: true });
  watch();
  return true;
}

// The word of a point or a label, from the data that plotly stores with the mark.
function word(mark) {
  const kept = mark.__data__ || mark.parentNode.__data__ || {};
  return mark.matches('text') ? mark.textContent && 'text ' + mark.textContent : kept.htx && 'point ' + kept.htx;
}

export default function () {
  window.explorerMotion = window.explorerMotion || install();
}
