// What was sent and answered over time and by duration, of the part of the run that is chosen.
const laneChoice = document.getElementById('lane');
const laneOf = ({ load: { series } }) => series[Number(laneChoice?.value ?? 0)] ?? series[0];
laneChoice?.addEventListener('change', () => redraw());

/** Rows with nothing between them where nothing was sent. */
function unbroken({ rows, every }) {
  return rows.flatMap((row, index) => {
    const before = rows[index - 1];
    if (before === undefined || row.at - before.at <= every) return [row];
    const idle = { requests: 0, limited: 0, errors: 0, p50: null, p99: null };
    return [{ at: before.at + every, ...idle }, { at: row.at - every, ...idle }, row];
  });
}

drawers.overTime = (figure, data) => {
  const frame = chartFrame();
  const lane = laneOf(data);
  const narrow = isNarrow(figure);
  const rows = unbroken(lane);
  const [first, last] = [rows[0].at, rows.at(-1).at + lane.every];
  const line = (name, tone, type, grid, pick) => ({
    ...{ name, type: 'line', xAxisIndex: grid, yAxisIndex: grid, color: colour(tone), lineStyle: { type, width: 1.8 } },
    ...{ symbol: 'circle', symbolSize: 6, showSymbol: rows.length < 60, connectNulls: false },
    data: rows.map((row) => [row.at, pick(row)]),
  });
  const rate = (count) => Math.round((10 * count) / lane.every) / 10;
  const xAxis = { ...frame.axis, type: 'value', min: first, max: last };
  draw(
    figure.querySelector('.canvas'),
    { height: 470 },
    {
      ...frame,
      legend: { top: 0, left: 'center', textStyle: { color: colour('ink') } },
      grid: [
        { ...FIXED, left: 76, right: 16, top: narrow ? 74 : 58, height: narrow ? 150 : 166 },
        { ...FIXED, left: 76, right: 16, top: 274, height: 150 },
      ],
      axisPointer: { link: [{ xAxisIndex: 'all' }] },
      xAxis: [
        { ...xAxis, gridIndex: 0, axisLabel: { show: false } },
        { ...xAxis, gridIndex: 1, name: 'seconds', nameLocation: 'middle', nameGap: 26 },
      ],
      yAxis: [
        {
          ...frame.axis,
          type: 'value',
          gridIndex: 0,
          ...sideways('requests/s'),
        },
        { ...frame.axis, type: 'log', gridIndex: 1, ...sideways('ms') },
      ],
      tooltip: {
        ...frame.tooltip,
        trigger: 'axis',
        formatter: (shown) =>
          tip(
            `second ${shown[0].value[0]}`,
            ...shown.map(({ seriesName, value }) => `${seriesName}: ${value[1] ?? '–'}`),
          ),
      },
      series: [
        {
          ...line('requests/s', 'look', 'solid', 0, (row) => rate(row.requests)),
          markArea: bandsOf(lane.steps, narrow),
        },
        line('429/s', 'warn', 'dashed', 0, (row) => rate(row.limited)),
        line('errors/s', 'fail', 'dotted', 0, (row) => rate(row.errors)),
        line('p50 ms', 'pass', 'solid', 1, (row) => row.p50),
        { ...line('p99 ms', 'ink', 'solid', 1, (row) => row.p99), markArea: bandsOf(lane.steps, true) },
      ],
    },
  );
};

/** Grids one below the other begin at the same place, however long their labels are. */
const FIXED = { outerBoundsMode: 'none' };

/** The name of an axis beside it, where nothing else is. */
function sideways(name) {
  return { name, nameLocation: 'middle', nameRotate: 90, nameGap: 48 };
}

/** Steps as bands, every other one shaded. */
function bandsOf(steps, isSilent) {
  const data = steps.map(({ name, from, to }, index) => [
    {
      xAxis: from,
      name: !isSilent && steps.length <= 24 && name.endsWith('/s') ? name.replace(' requests/s', '/s') : '',
      itemStyle: { color: colour('soft'), opacity: index % 2 === 0 ? 0.12 : 0.04 },
    },
    { xAxis: to },
  ]);
  return {
    silent: true,
    label: { color: colour('soft'), fontSize: 10, position: 'top', rotate: 35, align: 'left', distance: 2 },
    data,
  };
}

drawers.loadLatency = (figure, data) => drawDistribution(figure, laneOf(data).groups);
