// The charts of limits and capacity. Each has a table below it that says the same.

/** How a step was decided: by shape as well as by colour. */
const DECISIONS = {
  met: { symbol: 'circle', tone: 'pass' },
  missed: { symbol: 'diamond', tone: 'fail' },
  undecided: { symbol: 'triangle', tone: 'warn' },
  void: { symbol: 'emptyRect', tone: 'soft' },
};

drawers.capacity = (figure, { load: { capacity } }) => {
  const frame = chartFrame();
  const { steps, bracket } = capacity;
  const narrow = isNarrow(figure);
  const label = (text, position) => ({ formatter: text, position, color: colour('ink'), fontSize: 11 });
  const band =
    bracket.met !== null && bracket.missed !== null
      ? [[{ xAxis: bracket.met, itemStyle: { color: colour('look'), opacity: 0.16 } }, { xAxis: bracket.missed }]]
      : [];
  const aim =
    bracket.aimMs === null
      ? []
      : [{ yAxis: bracket.aimMs, label: label(`objective ${bracket.aimMs} ms`, 'insideStartTop') }];
  const decided = Object.entries(DECISIONS).flatMap(([decision, { symbol, tone }]) => {
    const own = steps.filter((step) => step.p99 > 0 && step.decision === decision);
    if (own.length === 0) return [];
    return [
      {
        name: decision,
        type: 'scatter',
        symbol,
        symbolSize: 13,
        color: colour(tone),
        data: own.map((step) => pointOf(step, step.p99)),
      },
    ];
  });
  const known = decided.length > 0;
  const plain = known
    ? []
    : [
        {
          name: 'p99',
          type: 'line',
          color: colour('warn'),
          data: sorted(steps).map((step) => pointOf(step, step.p99)),
        },
      ];
  const marks = {
    silent: true,
    symbol: 'none',
    animation: false,
    lineStyle: { color: colour('ink'), type: 'dashed' },
    data: aim,
  };
  const main = [
    ...decided,
    ...plain,
    {
      name: 'p50',
      type: 'scatter',
      symbol: 'emptyCircle',
      symbolSize: 6,
      color: colour('soft'),
      data: steps.filter(({ p50 }) => p50 > 0).map((step) => pointOf(step, step.p50)),
    },
  ];
  main[0] = { ...main[0], markLine: marks, markArea: { silent: true, data: band } };
  const below = (name, symbol, tone, yAxisIndex, pick) => ({
    ...{ name, type: 'scatter', symbol, symbolSize: 8, color: colour(tone), xAxisIndex: 1, yAxisIndex },
    data: steps.filter((step) => pick(step) !== null).map((step) => pointOf(step, pick(step))),
  });
  const xAxis = { ...frame.axis, type: 'value', min: 0 };
  const top = narrow ? 62 : 40;
  draw(
    figure.querySelector('.canvas'),
    { height: 430 + top },
    {
      ...frame,
      legend: { top: 0, left: 'center', textStyle: { color: colour('ink') } },
      grid: [
        { left: 56, right: 48, top, height: 270 },
        { left: 56, right: 48, top: top + 310, height: 72 },
      ],
      xAxis: [
        { ...xAxis, gridIndex: 0 },
        { ...xAxis, gridIndex: 1, name: 'requests a second', nameLocation: 'middle', nameGap: 26 },
      ],
      yAxis: [
        { ...frame.axis, type: 'log', name: 'ms', gridIndex: 0 },
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
        below('dropped', 'rect', 'fail', 1, ({ droppedPercent }) => droppedPercent),
        below('late', 'emptyTriangle', 'look', 2, ({ lateMs }) => lateMs),
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

/** Units per window: what was measured with its bounds, what the header states, what is expected – each of its shape. */
drawers.plans = (figure, { load: { plans } }) => {
  const frame = chartFrame();
  const rows = plans.filter(({ marks }) => marks.best !== null).toReversed();
  const narrow = isNarrow(figure);
  const all = rows.flatMap(({ marks }) => Object.values(marks)).filter((value) => value > 0);
  const points = (name, symbol, tone, offset, pick) => ({
    ...{ name, type: 'scatter', symbol, symbolSize: 12, symbolOffset: [0, offset], color: colour(tone) },
    data: rows.flatMap((row, index) => (pick(row.marks) === null ? [] : [{ value: [pick(row.marks), index], row }])),
  });
  draw(
    figure.querySelector('.canvas'),
    { height: 84 + 52 * rows.length },
    {
      ...frame,
      legend: { top: 0, left: 'center', data: ['measured', 'stated', 'expected'], textStyle: { color: colour('ink') } },
      grid: { left: narrow ? 96 : 160, right: 28, top: 34, bottom: 28 },
      xAxis: { ...frame.axis, ...scaleFor(all) },
      yAxis: {
        ...frame.axis,
        type: 'category',
        data: rows.map(({ plan, key }) => (plan === '' ? key : `${plan}\n${key}`)),
        axisLabel: { color: colour('ink'), width: narrow ? 88 : 150, overflow: 'truncate', lineHeight: 16 },
      },
      tooltip: {
        ...frame.tooltip,
        trigger: 'item',
        formatter: ({ data: { row } }) =>
          tip(
            `${row.plan} ${row.key}`,
            `measured ${row.limit}`,
            `stated ${row.stated}`,
            `expected ${row.expected}`,
            row.confidence,
          ),
      },
      series: [
        points('measured', 'circle', 'look', 0, ({ best }) => best),
        points('stated', 'emptyDiamond', 'warn', -13, ({ stated }) => stated),
        points('expected', 'emptyTriangle', 'pass', 13, ({ expected }) => expected),
        {
          ...{ name: 'bounds', type: 'custom', color: colour('look'), silent: true, tooltip: { show: false } },
          data: rows.map(({ marks }, index) => [marks.least, marks.most, index]),
          renderItem: (_, api) => whisker(api),
        },
      ],
    },
  );
};

/** A logarithmic axis where values differ by more than it takes to be told apart on an even one. */
function scaleFor(values) {
  const [least, most] = [Math.min(...values), Math.max(...values)];
  return most > 8 * least
    ? {
        type: 'log',
        min: least / 1.6,
        max: most * 1.6,
        axisLabel: { color: colour('soft'), showMinLabel: false, showMaxLabel: false },
      }
    : { type: 'value', min: 0 };
}

function whisker(api) {
  const [from, y] = api.coord([api.value(0), api.value(2)]);
  const [to] = api.coord([api.value(1), api.value(2)]);
  const line = (x1, y1, x2, y2) => ({
    type: 'line',
    shape: { x1, y1, x2, y2 },
    style: { stroke: colour('look'), lineWidth: 2 },
  });
  return {
    type: 'group',
    children: [line(from, y, to, y), line(from, y - 5, from, y + 5), line(to, y - 5, to, y + 5)],
  };
}

drawers.errors = (figure, { load: { errors } }) => {
  const frame = chartFrame();
  const rows = errors.toReversed();
  draw(
    figure.querySelector('.canvas'),
    { height: 48 + 34 * rows.length },
    {
      ...frame,
      color: [colour('fail')],
      grid: { left: isNarrow(figure) ? 130 : 180, right: 64, top: 8, bottom: 28 },
      xAxis: { ...frame.axis, type: 'value', minInterval: 1 },
      yAxis: {
        ...frame.axis,
        type: 'category',
        data: rows.map(({ kind }) => kind),
        axisLabel: { color: colour('ink'), width: isNarrow(figure) ? 120 : 170, overflow: 'truncate' },
      },
      tooltip: { ...frame.tooltip, formatter: ({ dataIndex }) => tip(rows[dataIndex].kind, rows[dataIndex].where) },
      series: [
        {
          ...{ type: 'bar', barMaxWidth: 22 },
          data: rows.map(({ count }) => count),
          label: { show: true, position: 'right', color: colour('ink') },
        },
      ],
    },
  );
};
