// The charts of limits and of errors under load. Each has a table below it that says the same.

/** A point by its shape, hollow or not. */
function mark(symbol, symbolSize, tone, hollow = false) {
  const style = hollow
    ? { color: 'transparent', borderColor: colour(tone), borderWidth: 1.8 }
    : { color: colour(tone) };
  return { symbol, symbolSize, color: colour(tone), itemStyle: style };
}

/** Units per window: what was measured with its bounds, what the header states, what is expected – each of its shape. */
drawers.plans = (figure, { load: { plans } }) => {
  const frame = chartFrame();
  const rows = plans.filter(({ marks }) => marks.best !== null).toReversed();
  const narrow = isNarrow(figure);
  const all = rows.flatMap(({ marks }) => Object.values(marks)).filter((value) => value > 0);
  const shown = kindsOf(rows);
  draw(
    figure.querySelector('.canvas'),
    { height: 84 + 52 * rows.length },
    {
      ...frame,
      legend: legendAbove({ data: shown.map(({ name }) => name) }),
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
        ...shown,
        {
          ...{ name: 'bounds', type: 'custom', color: colour('look'), silent: true, tooltip: { show: false } },
          data: rows.map(({ marks }, index) => [marks.least, marks.most, index]),
          renderItem: (_, api) => whisker(api),
        },
      ],
    },
  );
};

/** The limits as measured, stated and expected, each kind a series of its own shape; a kind that no row has is left out. */
function kindsOf(rows) {
  const points = (name, symbol, tone, offset, pick) => ({
    ...{ name, type: 'scatter', ...mark(symbol, 12, tone, offset !== 0), symbolOffset: [0, offset] },
    data: rows.flatMap((row, index) => (pick(row.marks) === null ? [] : [{ value: [pick(row.marks), index], row }])),
  });
  return [
    points('measured', 'circle', 'look', 0, ({ best }) => best),
    points('stated', 'diamond', 'warn', -13, ({ stated }) => stated),
    points('expected', 'triangle', 'pass', 13, ({ expected }) => expected),
  ].filter(({ data }) => data.length > 0);
}

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
