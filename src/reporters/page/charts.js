// Charts: ECharts is unpacked when the first of them comes near, and drawn anew with the theme and the width.
const charts = new Map();
const drawers = {};
const library = { reading: null };

/** Runs the library's text, which the page's policy knows by its digest. */
library.read = () => {
  library.reading ??= unpack('library').then((text) => {
    const script = document.createElement('script');
    script.textContent = text;
    document.head.append(script);
    return window.echarts;
  });
  return library.reading;
};

/** The colour that a custom property has now, in a form that a canvas understands. */
function colour(name) {
  const probe = document.createElement('i');
  probe.style.color = `var(--${name})`;
  document.body.append(probe);
  const { color } = getComputedStyle(probe);
  probe.remove();
  return color;
}

/** Shared parts of all charts: colours and type of the page, no movement. */
function chartFrame() {
  const soft = colour('soft');
  const line = { lineStyle: { color: colour('rule') } };
  return {
    animation: false,
    textStyle: { fontFamily: getComputedStyle(document.body).fontFamily, color: soft },
    axis: {
      axisLabel: { color: soft },
      axisLine: line,
      splitLine: line,
      axisTick: { show: false },
      nameTextStyle: { color: soft },
    },
    tooltip: {
      backgroundColor: colour('card'),
      borderColor: colour('rule'),
      textStyle: { color: colour('ink'), fontSize: 13 },
      confine: true,
    },
  };
}

/** The legend above a chart, its marks as wide as they are high; lines take a wider piece of themselves. */
function legendAbove(more = {}) {
  return { top: 0, left: 'center', itemWidth: 14, textStyle: { color: colour('ink') }, ...more };
}

/** Colours of what stands side by side, in this order. */
const SERIES = ['look', 'warn', 'pass', 'fail'];
const isNarrow = (figure) => figure.clientWidth < 640;

/** Text of a tooltip: an element, so that no string of the target is ever markup. */
function tip(...lines) {
  const box = document.createElement('div');
  for (const text of lines) {
    const row = document.createElement('div');
    row.textContent = text;
    box.append(row);
  }
  return box;
}

/** Draws a chart into an element, in place of what was drawn there; the canvas stays the same one. */
function draw(element, size, option, renderer = 'svg') {
  const { height, width = element.clientWidth } = size;
  element.style.height = `${height}px`;
  const chart = charts.get(element) ?? window.echarts.init(element, null, { renderer, width, height });
  charts.set(element, chart);
  chart.off('click');
  chart.resize({ width, height });
  chart.setOption(option, true);
  // Paper does not wait for the next frame.
  chart.getZr().flush();
  return chart;
}

const drawn = new Set();
async function drawFigure(figure) {
  const [{ data }] = await Promise.all([store.read(), library.read()]);
  drawn.add(figure);
  drawers[figure.dataset.chart](figure, data);
}

const near = new IntersectionObserver(
  (sights) => {
    for (const { isIntersecting, target } of sights) {
      if (!isIntersecting) continue;
      near.unobserve(target);
      drawFigure(target);
    }
  },
  { rootMargin: '600px' },
);
for (const figure of $('[data-chart]')) near.observe(figure);

const redraw = () => {
  for (const figure of drawn) drawers[figure.dataset.chart](figure, store.unpacked.data);
};
repaints.add(redraw);
let width = innerWidth;
addEventListener('resize', () => {
  if (innerWidth === width) return;
  width = innerWidth;
  redraw();
});
addEventListener('beforeprint', () => {
  if (store.unpacked === null || window.echarts === undefined) return;
  for (const figure of $('[data-chart]')) {
    drawn.add(figure);
    drawers[figure.dataset.chart](figure, store.unpacked.data);
  }
});
addEventListener('load', () => {
  (window.requestIdleCallback ?? setTimeout)(() => store.read().then(library.read));
});
