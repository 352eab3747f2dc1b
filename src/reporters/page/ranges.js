// Ranges of latency: a line from the median to the 99th percentile, a mark for each. Each chart has a table that says the same.

/** Percentiles in their order: by shape as well as by colour. */
const PERCENTILES = [
  ['p50', 'circle', 'pass'],
  ['p95', 'diamond', 'look'],
  ['p99', 'rect', 'warn'],
];

drawers.serviceRanges = (figure, { timing }) =>
  drawRanges(
    figure,
    timing.services.map(({ name, p50, p95, p99 }) => ({ name, ms: [p50, p95, p99] })),
    14,
  );

drawers.slowest = (figure, { timing }) =>
  drawRanges(
    figure,
    timing.slowest.map(({ operation, p50, p95, p99 }) => ({ name: operation, ms: [p50, p95, p99] })),
    2,
  );

drawers.operations = (figure, { load: { operations, objectives } }) =>
  drawRanges(
    figure,
    operations[0].rows.map(({ operation, ms }) => ({ name: operation, ms })),
    2,
    objectives?.p99Ms ?? null,
  );

/** A row for each name, the first on top; `ms` may lack the later percentiles. On a phone a name stands above its line. */
function drawRanges(figure, all, thick, aimMs = null) {
  const rows = all.filter(({ ms: [p50] }) => p50 !== null && p50 > 0).toReversed();
  if (rows.length === 0) {
    figure.hidden = true;
    return;
  }
  const frame = chartFrame();
  const narrow = isNarrow(figure);
  const known = [...rows.flatMap(({ ms }) => ms.filter((value) => value > 0)), ...(aimMs === null ? [] : [aimMs])];
  const points = pointsOf(rows, thick > 4 ? 11 : 9);
  if (aimMs !== null) points[0].markLine = aimLine([{ xAxis: aimMs, label: aimLabel(`objective ${aimMs} ms`, 'end') }]);
  const top = aimMs === null ? 30 : 48;
  const axisLabel = narrow
    ? { ...above, padding: [0, 0, thick > 4 ? 15 : 8, 0], color: colour('ink'), width: figure.clientWidth - 30 }
    : { color: colour('ink'), width: 316, overflow: 'truncate', fontSize: 12 };
  const words = (ms) => (ms === null ? '–' : `${short(ms)} ms`);
  const toldOf = ({ name, ms }) =>
    tip(name, ...PERCENTILES.map(([percentile], at) => `${percentile}: ${words(ms[at])}`));
  draw(
    figure.querySelector('.canvas'),
    { height: top + 30 + (narrow ? 44 : 30) * rows.length },
    {
      ...frame,
      legend: legendAbove({ data: points.map(({ name }) => name) }),
      grid: { left: narrow ? 8 : 330, right: 28, top, bottom: 28, outerBoundsMode: 'none' },
      xAxis: { ...frame.axis, ...msScale(known) },
      yAxis: { ...frame.axis, type: 'category', data: rows.map(({ name }) => name), axisLabel },
      tooltip: { ...frame.tooltip, trigger: 'item', formatter: ({ value: [, row] }) => toldOf(rows[row]) },
      series: [linesFrom(rows, thick), ...points],
    },
  );
}

/** A series for each percentile that some row has. */
function pointsOf(rows, size) {
  return PERCENTILES.filter((_, at) => rows.some(({ ms }) => ms[at] > 0)).map(([name, symbol, tone], at) => ({
    ...{ name, type: 'scatter', ...mark(symbol, size, tone), z: 3 },
    data: rows.flatMap(({ ms }, row) => (ms[at] > 0 ? [[ms[at], row]] : [])),
  }));
}

/** A line for each row, from its median to its last percentile. */
function linesFrom(rows, lineWidth) {
  return {
    ...{ type: 'custom', name: 'range', silent: true, tooltip: { show: false }, color: colour('idle'), z: 2 },
    data: rows.map(({ ms }, row) => [ms[0], ms.findLast((value) => value > 0), row]),
    renderItem: (_, api) => {
      const [x1, y] = api.coord([api.value(0), api.value(2)]);
      const [x2] = api.coord([api.value(1), api.value(2)]);
      const style = { stroke: colour('idle'), lineWidth, lineCap: 'butt' };
      return { type: 'line', shape: { x1, y1: y, x2, y2: y }, style };
    },
  };
}

/** A label of a category above its line, within the plot. */
const above = {
  ...{ inside: true, align: 'left', verticalAlign: 'bottom', overflow: 'truncate' },
  ...{ fontSize: 11, margin: 0 },
};

/** A logarithmic axis from the next 1, 2 or 5 below the shortest to the next above the longest, in ms. */
function msScale(values) {
  const [least, most] = [Math.min(...values), Math.max(...values)];
  const steps = [1, 2, 5];
  const round = (value, up) => {
    const power = 10 ** Math.floor(Math.log10(value));
    const fitting = [...steps, 10].map((step) => step * power);
    return up ? fitting.find((one) => one >= value * 0.999) : fitting.findLast((one) => one <= value * 1.001);
  };
  const [min, max] = [round(least, false), round(most * 1.05, true)];
  const ticks = [];
  for (let power = 10 ** Math.floor(Math.log10(min)); power <= max; power *= 10)
    for (const step of max / min > 500 ? [1] : max / min > 60 ? [1, 3] : steps)
      if (step * power >= min * 0.999 && step * power <= max * 1.001) ticks.push(Number((step * power).toPrecision(2)));
  return {
    ...{ type: 'log', min, max, name: 'ms', nameLocation: 'end', nameGap: 6 },
    axisLabel: { color: colour('soft'), customValues: ticks, formatter: short },
    axisTick: { show: false, customValues: ticks },
    splitLine: { lineStyle: { color: colour('rule') } },
  };
}

/** In three digits. */
function short(value) {
  return `${Number(Number(value).toPrecision(3))}`;
}
