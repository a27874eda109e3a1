// A saved chart has what surrounds it on the page: a title, a caption, and titles of axes for which the screen has no room.
// Its texts have a font that other programs know too: with the page's own font they would be drawn wider than measured.
const AXIS_TITLE = 26; // px for the title of an axis that has none on the screen
const FONT = 'Arial, Helvetica, "Liberation Sans", sans-serif';
const LEGEND = { symbol: 40, gap: 10, row: 19 }; // px: beside the text of an entry, between entries, and the height of a row
const SAMPLE = 'Rome is the capital of Italy. 0123456789';

const measuring = document.createElement('canvas').getContext('2d');
function widthOf(text, size, family) {
  measuring.font = `${size}px ${family}`;
  return measuring.measureText(text.replace(/<[^>]*>/g, '')).width;
}

// A layout with the same font everywhere.
function inOneFont(part) {
  if (!part || typeof part !== 'object' || ArrayBuffer.isView(part)) return part;
  if (Array.isArray(part)) return part.map(inOneFont);
  return Object.fromEntries(Object.entries(part).map(([name, value]) => [name, name === 'family' ? FONT : inOneFont(value)]));
}

// The axes that have a title in a saved chart only (style.saved), and the room that these titles need on each side.
function titledAxes(layout, drawn) {
  const titles = Object.entries(layout.meta?.titles || {}).filter(([name, text]) => text && drawn[name]);
  const axes = {};
  const more = { l: 0, t: 0, b: 0 };
  for (const [name, text] of titles) {
    const side = name[0] === 'y' ? 'l' : drawn[name].side === 'top' ? 't' : 'b';
    more[side] = AXIS_TITLE;
    const hidden = drawn[name].visible ? {} : { visible: true, showticklabels: false, showgrid: false, zeroline: false };
    axes[name] = { ...layout[name], ...hidden, title: { ...layout[name]?.title, text, standoff: 6 } };
  }
  return { axes, more };
}

// The rows that the legend below a chart needs beside those on the screen. Where not all entries fit into one row, they are
// in columns of equal width.
function moreRows(chart, room) {
  const { legend, showlegend } = chart._fullLayout;
  if (!showlegend || legend?.orientation !== 'h' || legend.yref !== 'container') return 0;
  const entries = chart._fullData.filter((trace) => trace.showlegend && trace.visible === true && trace.name);
  const widths = entries.map((trace) => widthOf(trace.name, legend.font.size, FONT) + LEGEND.symbol + LEGEND.gap);
  const columns = widths.reduce((sum, width) => sum + width, 0) <= room ? widths.length : Math.floor(room / Math.max(...widths));
  return Math.max(0, Math.ceil(widths.length / Math.max(1, columns)) - Math.round(legend._height / LEGEND.row));
}

// Adds title, caption and missing axis titles to a chart's layout; returns what removes them.
function caption(chart, texts) {
  const { layout, _fullLayout: drawn, _context: context } = chart;
  const { axes, more } = titledAxes(layout, drawn);
  const before = { layout: chart.layout, options: context.toImageButtonOptions };
  const family = drawn.font.family;
  const wider = Math.max(1, widthOf(SAMPLE, 12, FONT) / widthOf(SAMPLE, 12, family));
  const size = drawn._size;
  const turned = (side) => Object.entries(drawn).some(([name, axis]) => /^xaxis\d*$/.test(name) && axis.side === side
    && axis.showticklabels && (axis._tickAngles && Object.values(axis._tickAngles).some((angle) => Math.abs(angle) > 10)));
  const longer = (side, whole) => Math.ceil(turned(side) ? (wider - 1) * whole : 0);
  const l = Math.ceil(size.l * wider) + more.l;
  const r = Math.ceil(size.r * wider);
  const t = size.t + more.t + longer('top', size.t);
  const b = size.b + more.b + longer('bottom', size.b) + LEGEND.row * moreRows(chart, size.w);
  const width = (texts.width || drawn.width) + l + r - size.l - size.r;
  const wrap = (text, height) => {
    const fits = (line) => widthOf(line, height, FONT) <= width - 20;
    const lines = [''];
    for (const word of text.split(/\s+/)) {
      const longer = `${lines.at(-1)} ${word}`.trim();
      if (fits(longer)) lines[lines.length - 1] = longer;
      else if (fits(word)) lines.push(word);
      else for (const sign of word) fits(lines.at(-1) + sign) ? (lines[lines.length - 1] += sign) : lines.push(sign);
    }
    return lines.filter(Boolean);
  };
  const escape = (line) => line.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;');
  const above = wrap(texts.title, 15);
  const below = texts.caption.flatMap((line) => wrap(line, 11));
  const room = { top: above.length * 20 + 10, bottom: below.length * 15 + 12 };
  const height = (texts.height || drawn.height) + t + b - size.t - size.b + room.top + room.bottom;
  const line = { xref: 'paper', yref: 'paper', x: 0, xanchor: 'left', xshift: 10 - l, align: 'left', showarrow: false };
  const names = Object.keys(drawn).filter((name) => /^yaxis\d*$/.test(name));
  const fitting = Object.fromEntries(names.map((name) => [name, { ...(axes[name] || layout[name]), automargin: true }]));
  const legend = drawn.legend?.yref === 'container' ? { legend: { ...layout.legend, y: (layout.legend?.y || 0) + room.bottom / height } } : {};
  chart.layout = inOneFont({
    ...layout,
    ...axes,
    ...fitting,
    ...legend,
    font: { ...layout.font, family: FONT },
    autosize: false,
    margin: { ...layout.margin, l, r, t: t + room.top, b: b + room.bottom },
    annotations: [
      ...(layout.annotations || []),
      { ...line, y: 1, yanchor: 'bottom', yshift: t + 6, text: above.map(escape).join('<br>'), font: { size: 15 } },
    ],
    // The caption is the title of the layout, because only a title has a place in the picture and not in the plot.
    title: {
      text: below.map(escape).join('<br>'), font: { ...layout.title?.font, size: 11, weight: 400, color: drawn.font.color },
      x: 10 / width, xref: 'container', xanchor: 'left', y: (room.bottom - 6) / height, yref: 'container', yanchor: 'top', pad: {},
    },
  });
  context.toImageButtonOptions = { ...texts, width, height };
  return () => {
    chart.layout = before.layout;
    context.toImageButtonOptions = before.options;
  };
}
