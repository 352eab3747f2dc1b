// The chart of a search for capacity; the table below it says the same.

/** How a step was decided: by shape as well as by colour. */
const DECISIONS = {
  met: { symbol: 'circle', tone: 'pass' },
  missed: { symbol: 'diamond', tone: 'fail' },
  undecided: { symbol: 'triangle', tone: 'warn' },
  void: { symbol: 'rect', tone: 'soft', hollow: true },
};

drawers.capacity = (figure, { load: { capacity } }) => {
  const { steps, bracket } = capacity;
  const top = isNarrow(figure) ? 62 : 40;
  // The objective is on the axis even where every step is far below it.
  const known = [...steps.flatMap(({ p50, p99 }) => [p50, p99]), bracket.aimMs].filter((ms) => ms > 0);
  const option = {
    ...capacityAxes(top, known),
    series: [...latencyOf(steps, bracket), ...generatorOf(steps)],
  };
  draw(figure.querySelector('.canvas'), { height: 420 + top }, option);
};

/** Latency above, what became of the generator below it. */
function capacityAxes(top, known) {
  const frame = chartFrame();
  const side = { left: 56, right: 48, outerBoundsMode: 'none' };
  const xAxis = { ...frame.axis, type: 'value', min: 0 };
  const below = { ...frame.axis, type: 'value', gridIndex: 1, min: 0, minInterval: 1, splitNumber: 2 };
  return {
    ...frame,
    legend: legendAbove(),
    grid: [
      { ...side, top, height: 270 },
      { ...side, top: top + 300, height: 72 },
    ],
    xAxis: [
      { ...xAxis, gridIndex: 0, axisLabel: { show: false } },
      { ...xAxis, gridIndex: 1, name: 'requests a second', nameLocation: 'middle', nameGap: 26 },
    ],
    yAxis: [
      { ...frame.axis, ...msScale(known), name: 'ms', gridIndex: 0 },
      { ...below, name: '% dropped' },
      { ...below, name: 'ms late', splitLine: { show: false } },
    ],
    tooltip: { ...frame.tooltip, trigger: 'item', formatter: ({ data: { step } }) => tip(...linesOf(step)) },
  };
}

/** The 99th percentile of each step by its decision, the median, the objective and the bracket. */
function latencyOf(steps, { met, missed, aimMs }) {
  const decided = Object.entries(DECISIONS).flatMap(([decision, { symbol, tone, hollow }]) => {
    const own = steps.filter((step) => step.p99 > 0 && step.decision === decision);
    const look = { name: decision, type: 'scatter', ...mark(symbol, 13, tone, hollow) };
    return own.length === 0 ? [] : [{ ...look, data: own.map((step) => pointOf(step, step.p99)) }];
  });
  const plain = { name: 'p99', type: 'line', color: colour('warn') };
  const [first, ...others] =
    decided.length > 0 ? decided : [{ ...plain, data: sorted(steps).map((step) => pointOf(step, step.p99)) }];
  const aim = aimMs === null ? [] : [{ yAxis: aimMs, label: aimLabel(`objective ${aimMs} ms`, 'insideStartTop') }];
  const band = [{ xAxis: met, itemStyle: { color: colour('look'), opacity: 0.16 } }, { xAxis: missed }];
  const bracket = { silent: true, data: met === null || missed === null ? [] : [band] };
  return [
    { ...first, markLine: aimLine(aim), markArea: bracket },
    ...others,
    {
      ...{ name: 'p50', type: 'scatter', ...mark('circle', 6, 'soft', true) },
      data: steps.filter(({ p50 }) => p50 > 0).map((step) => pointOf(step, step.p50)),
    },
  ];
}

/** Requests that the generator dropped, and how late it sent. */
function generatorOf(steps) {
  const below = (name, look, yAxisIndex, pick) => ({
    ...{ name, type: 'scatter', ...look, xAxisIndex: 1, yAxisIndex },
    data: steps.filter((step) => pick(step) !== null).map((step) => pointOf(step, pick(step))),
  });
  return [
    below('dropped', mark('rect', 8, 'fail', false), 1, ({ droppedPercent }) => droppedPercent || null),
    below('late', mark('triangle', 8, 'look', true), 2, ({ lateMs }) => lateMs),
  ];
}

function pointOf(step, value) {
  return { value: [step.rps, value], step };
}

function sorted(steps) {
  return steps.toSorted((a, b) => a.rps - b.rps);
}

function linesOf({ number, rps, p50, p99, errors, dropped, lateMs, why }) {
  return [
    `Step ${number}: ${rps} requests a second`,
    why,
    `p50 ${p50} ms, p99 ${p99} ms`,
    `errors ${errors}, dropped ${dropped}`,
    ...(lateMs === null ? [] : [`sent ${lateMs} ms late at most, 99 % of them`]),
  ];
}
