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

/** Lines for what is to be kept: dashed, named at their end. */
function aimLine(data) {
  return {
    ...{ silent: true, symbol: 'none', animation: false, data },
    lineStyle: { color: colour('fail'), type: 'dashed', width: 1.4, opacity: 0.85 },
  };
}

function aimLabel(text, position) {
  return { formatter: text, position, color: colour('ink'), fontSize: 11 };
}

/** Grids one below the other begin at the same place, however long their labels are. */
const SIDE = { left: 64, right: 16, outerBoundsMode: 'none' };
/** Heights, and what stands between two grids. */
const [HIGH, BETWEEN] = [150, 30];

drawers.overTime = (figure, data) => {
  const frame = chartFrame();
  const lane = laneOf(data);
  const { objectives } = data.load;
  const rows = unbroken(lane);
  const [first, last] = [rows[0].at, rows.at(-1).at + lane.every];
  // On a phone the legend takes two lines.
  const top = isNarrow(figure) ? 96 : 66;
  const isFailing = lane.errors + lane.limited > 0;
  const count = isFailing ? 3 : 2;
  const line = (name, tone, type, grid, pick) => ({
    ...{ name, type: 'line', xAxisIndex: grid, yAxisIndex: grid, color: colour(tone), lineStyle: { type, width: 1.8 } },
    ...{ symbol: 'circle', symbolSize: 4, showSymbol: rows.length < 16, connectNulls: false, z: 3 },
    data: rows.map((row) => [row.at, pick(row)]),
  });
  const rate = ({ requests }) => Math.round((10 * requests) / lane.every) / 10;
  const share = (pick) => (row) => (row.requests === 0 ? null : Math.round((1000 * pick(row)) / row.requests) / 10);
  const bands = bandsOf(lane.bands, (figure.clientWidth - SIDE.left - SIDE.right) / (last - first));
  const aims = objectives?.p99Ms == null ? [] : [objectives.p99Ms];
  const failing = isFailing
    ? [
        ...(lane.errors > 0
          ? [
              line(
                'errors %',
                'fail',
                'solid',
                2,
                share((row) => row.errors),
              ),
            ]
          : []),
        ...(lane.limited > 0
          ? [
              line(
                '429 %',
                'warn',
                'dashed',
                2,
                share((row) => row.limited),
              ),
            ]
          : []),
      ]
    : [];
  if (lane.errors > 0 && objectives?.errorPercent != null)
    failing[0].markLine = aimLine([
      {
        yAxis: objectives.errorPercent,
        label: aimLabel(`objective ${short(objectives.errorPercent)} %`, 'insideEndTop'),
      },
    ]);
  const planned = lane.bands.filter(({ rps }) => rps !== null);
  const times = lane.rows.flatMap(({ p50, p99 }) => [p50, p99]).filter((ms) => ms > 0);
  const named = [...times, ...aims];
  const xAxis = (at) => ({
    ...frame.axis,
    ...{ type: 'value', min: first, max: last, gridIndex: at },
    ...(at === count - 1
      ? {
          name: 'seconds',
          nameLocation: 'middle',
          nameGap: 26,
          axisLabel: { color: colour('soft'), showMaxLabel: false },
        }
      : { axisLabel: { show: false } }),
  });
  const yAxis = (at, name, more = {}) => ({ ...frame.axis, type: 'value', gridIndex: at, ...sideways(name), ...more });
  draw(
    figure.querySelector('.canvas'),
    { height: top + count * (HIGH + BETWEEN) + 16 },
    {
      ...frame,
      legend: { top: 0, left: 'center', textStyle: { color: colour('ink') }, itemStyle: { opacity: 0 } },
      grid: Array.from({ length: count }, (_, at) => ({ ...SIDE, top: top + at * (HIGH + BETWEEN), height: HIGH })),
      axisPointer: { link: [{ xAxisIndex: 'all' }] },
      xAxis: Array.from({ length: count }, (_, at) => xAxis(at)),
      yAxis: [
        yAxis(0, 'requests/s', { min: 0, boundaryGap: [0, '8%'] }),
        yAxis(1, 'ms', named.length === 0 ? {} : { ...msScale(named), ...sideways('ms') }),
        ...(isFailing ? [yAxis(2, '% of requests', { min: 0 })] : []),
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
        { ...line('requests/s', 'look', 'solid', 0, rate), markArea: bands(0) },
        ...(planned.length === 0 ? [] : [plannedLine(planned)]),
        { ...line('p50 ms', 'pass', 'solid', 1, (row) => row.p50), markArea: bands(1) },
        {
          ...line('p99 ms', 'ink', 'solid', 1, (row) => row.p99),
          markLine: aimLine(
            aims.map((ms) => ({ yAxis: ms, label: aimLabel(`objective ${short(ms)} ms`, 'insideEndTop') })),
          ),
        },
        ...failing.map((one, at) => (at === 0 ? { ...one, markArea: bands(2) } : one)),
      ],
    },
  );
};

/** The rate that was to arrive, step by step. */
function plannedLine(bands) {
  return {
    ...{ name: 'planned/s', type: 'line', color: colour('soft'), lineStyle: { type: 'dotted', width: 1.6 } },
    ...{ symbol: 'none', connectNulls: false, z: 2 },
    data: bands.flatMap(({ rps, from, to }) => [
      [from, rps],
      [to, rps],
      [to, null],
    ]),
  };
}

/** The name of an axis beside it, where nothing else is. */
function sideways(name) {
  return { name, nameLocation: 'middle', nameRotate: 90, nameGap: 42 };
}

/** Steps as bands, every other one shaded; named in the first grid where they are wide enough, upright where they are narrow. */
function bandsOf(bands, pixelsPerSecond) {
  const area =
    (grid) =>
    ({ name, from, to }, index) => {
      const wide = (to - from) * pixelsPerSecond;
      const isFlat = wide >= 7 * name.length + 4;
      const shown = grid === 0 && (isFlat || (wide >= 13 && name.length < 9));
      return [
        {
          xAxis: from,
          name: shown ? name : '',
          label: isFlat ? { rotate: 0, align: 'center' } : { rotate: 90, align: 'left', verticalAlign: 'middle' },
          itemStyle: { color: colour('soft'), opacity: index % 2 === 0 ? 0.13 : 0.05 },
        },
        { xAxis: to },
      ];
    };
  return (grid) => ({
    silent: true,
    label: { color: colour('soft'), fontSize: 11, position: 'top', distance: 3 },
    data: bands.map(area(grid)),
  });
}

/** Percentiles that the axis names, by how many nines they have. */
const NINES = { 0.5: '50 %', 0.9: '90 %', 0.95: '95 %', 0.99: '99 %', 0.999: '99.9 %', 0.9999: '99.99 %' };
const nines = (share) => -Math.log10(1 - share);

drawers.loadLatency = (figure, data) => {
  const { groups } = laneOf(data);
  const curves = groups.filter(({ curve }) => curve.length > 1);
  figure.hidden = curves.length === 0;
  if (figure.hidden) return;
  const frame = chartFrame();
  const aim = data.load.objectives?.p99Ms ?? null;
  const all = curves.flatMap(({ curve }) => curve);
  const farthest = Math.max(...all.map(([share]) => share), 0.99);
  const ticks = new Map(
    Object.entries(NINES).flatMap(([share, name]) =>
      share > farthest || (share === '0.95' && isNarrow(figure)) ? [] : [[nines(share), name]],
    ),
  );
  const nameOf = (value) => [...ticks].find(([at]) => Math.abs(at - value) < 1e-6)?.[1] ?? '';
  draw(
    figure.querySelector('.canvas'),
    { height: 320 },
    {
      ...frame,
      color: SERIES.map(colour),
      legend: { top: 0, left: 'center', textStyle: { color: colour('ink') } },
      grid: { ...SIDE, top: isNarrow(figure) ? 60 : 40, bottom: 44 },
      xAxis: {
        ...frame.axis,
        ...{
          type: 'value',
          min: 0,
          max: nines(farthest),
          name: 'share of answers',
          nameLocation: 'middle',
          nameGap: 28,
        },
        axisLabel: { color: colour('soft'), customValues: [...ticks.keys()], formatter: nameOf },
        axisTick: { show: false, customValues: [...ticks.keys()] },
      },
      yAxis: {
        ...frame.axis,
        ...msScale([...all.map(([, ms]) => ms), ...(aim === null ? [] : [aim])]),
        ...sideways('ms'),
      },
      tooltip: {
        ...frame.tooltip,
        trigger: 'item',
        formatter: ({ seriesName, value: [at, ms] }) =>
          tip(seriesName, `${short(100 * (1 - 10 ** -at))} % took at most ${short(ms)} ms`),
      },
      series: curves.map(({ name, curve }, index) => ({
        ...{ name, type: 'line', symbol: ['circle', 'diamond', 'rect', 'triangle'][index % 4], symbolSize: 5 },
        lineStyle: { width: 1.8, type: ['solid', 'dashed', 'dotted', 'solid'][index % 4] },
        data: curve.map(([share, ms]) => [nines(share), ms]),
        ...(index === 0 && aim !== null
          ? {
              markLine: aimLine([
                { yAxis: aim, label: aimLabel(`objective ${short(aim)} ms for 99 %`, 'insideStartTop') },
                ...(farthest >= 0.99 ? [{ xAxis: nines(0.99), label: { show: false } }] : []),
              ]),
            }
          : {}),
      })),
    },
  );
};
