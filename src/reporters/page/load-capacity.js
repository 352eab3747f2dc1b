// The chart of a search for capacity; the table below it says the same.

/** How a step was decided: by shape as well as by colour. */
const DECISIONS = {
  met: { symbol: 'circle', tone: 'pass' },
  missed: { symbol: 'diamond', tone: 'fail' },
  undecided: { symbol: 'triangle', tone: 'warn' },
  void: { symbol: 'rect', tone: 'soft', hollow: true },
};

drawers.capacity = (figure, { load: { capacity } }) => {
  const frame = chartFrame();
  const { steps, bracket } = capacity;
  const narrow = isNarrow(figure);
  const band =
    bracket.met !== null && bracket.missed !== null
      ? [[{ xAxis: bracket.met, itemStyle: { color: colour('look'), opacity: 0.16 } }, { xAxis: bracket.missed }]]
      : [];
  const aim =
    bracket.aimMs === null
      ? []
      : [{ yAxis: bracket.aimMs, label: aimLabel(`objective ${bracket.aimMs} ms`, 'insideStartTop') }];
  const decided = Object.entries(DECISIONS).flatMap(([decision, { symbol, tone, hollow }]) => {
    const own = steps.filter((step) => step.p99 > 0 && step.decision === decision);
    if (own.length === 0) return [];
    return [
      {
        name: decision,
        type: 'scatter',
        ...mark(symbol, 13, tone, hollow),
        data: own.map((step) => pointOf(step, step.p99)),
      },
    ];
  });
  const plain =
    decided.length > 0
      ? []
      : [
          {
            name: 'p99',
            type: 'line',
            color: colour('warn'),
            data: sorted(steps).map((step) => pointOf(step, step.p99)),
          },
        ];
  // The objective is on the axis even where every step is far below it.
  const known = [...steps.flatMap(({ p50, p99 }) => [p50, p99]), bracket.aimMs].filter((ms) => ms > 0);
  const main = [
    ...decided,
    ...plain,
    {
      name: 'p50',
      type: 'scatter',
      ...mark('circle', 6, 'soft', true),
      data: steps.filter(({ p50 }) => p50 > 0).map((step) => pointOf(step, step.p50)),
    },
  ];
  main[0] = { ...main[0], markLine: aimLine(aim), markArea: { silent: true, data: band } };
  const below = (name, symbol, tone, hollow, yAxisIndex, pick) => ({
    ...{ name, type: 'scatter', ...mark(symbol, 8, tone, hollow), xAxisIndex: 1, yAxisIndex },
    data: steps.filter((step) => pick(step) !== null).map((step) => pointOf(step, pick(step))),
  });
  const xAxis = { ...frame.axis, type: 'value', min: 0 };
  const top = narrow ? 62 : 40;
  draw(
    figure.querySelector('.canvas'),
    { height: 420 + top },
    {
      ...frame,
      legend: { top: 0, left: 'center', textStyle: { color: colour('ink') } },
      grid: [
        { left: 56, right: 48, top, height: 270, outerBoundsMode: 'none' },
        { left: 56, right: 48, top: top + 300, height: 72, outerBoundsMode: 'none' },
      ],
      xAxis: [
        { ...xAxis, gridIndex: 0, axisLabel: { show: false } },
        { ...xAxis, gridIndex: 1, name: 'requests a second', nameLocation: 'middle', nameGap: 26 },
      ],
      yAxis: [
        { ...frame.axis, ...msScale(known), name: 'ms', gridIndex: 0 },
        { ...frame.axis, type: 'value', name: '% dropped', gridIndex: 1, min: 0, minInterval: 1, splitNumber: 2 },
        {
          ...frame.axis,
          type: 'value',
          name: 'ms late',
          gridIndex: 1,
          min: 0,
          minInterval: 1,
          splitNumber: 2,
          splitLine: { show: false },
        },
      ],
      tooltip: { ...frame.tooltip, trigger: 'item', formatter: ({ data: { step } }) => tip(...linesOf(step)) },
      series: [
        ...main,
        below('dropped', 'rect', 'fail', false, 1, ({ droppedPercent }) => droppedPercent || null),
        below('late', 'triangle', 'look', true, 2, ({ lateMs }) => lateMs),
      ],
    },
  );
};

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
