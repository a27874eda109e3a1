// Draws the figures of a report in place of their alt texts, and closes their tables. A figure that cannot be drawn, such as
// one in space without WebGL, keeps both.
(() => {
  const { template, width, figures } = JSON.parse(document.getElementById('data').textContent);
  const webgl = () => Boolean(document.createElement('canvas').getContext('webgl'));
  const inSpace = ({ type }) => type === 'scatter3d';
  // Large maps: plotly.js draws them with code that it makes at run time, which the content security policy forbids.
  const flat = (trace) => (trace.type === 'scattergl' ? { ...trace, type: 'scatter' } : trace);
  figures.forEach(async ({ data, layout, frames }, number) => {
    if (data.some(inSpace) && !webgl()) return;
    const figure = document.getElementById(`figure-${number}`);
    const [chart, alt, table] = ['.chart', '.alt', 'details'].map((part) => figure.querySelector(part));
    chart.hidden = false;
    try {
      const drawn = { ...layout, template, width, height: layout.height || 450 };
      await Plotly.newPlot(chart, { data: data.map(flat), layout: drawn, frames, config: { displaylogo: false } });
      alt.hidden = true;
      if (table) table.open = false;
    } catch (error) {
      chart.hidden = true;
      console.error(error);
    }
  });
})();
