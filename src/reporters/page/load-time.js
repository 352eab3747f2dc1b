// Charts of requests and answers over time and by duration, in the part of the run that is chosen.
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
  const lane = laneOf(data);
  const rows = unbroken(lane);
  const [first, last] = [rows[0].at, rows.at(-1).at + lane.every];
  const pixelsPerSecond = (figure.clientWidth - SIDE.left - SIDE.right) / (last - first);
  const grids = [
    { name: 'requests/s', scale: { min: 0, boundaryGap: [0, '8%'] }, series: rateOver(rows, lane) },
    latencyOver(rows, lane, data.load.objectives),
    { name: '% of requests', scale: { min: 0 }, series: failuresOver(rows, lane, data.load.objectives) },
  ].filter(({ series }) => series.length > 0);
  const frame = chartFrame();
  // On a phone the legend takes two lines.
  const legendHigh = isNarrow(figure) ? 56 : 26;
  const isAnyUpright = lane.bands.some((band) => standingOf(band, pixelsPerSecond) === 'upright');
  const top = legendHigh + (isAnyUpright ? 40 : 18);
  const xAxis = (gridIndex) => ({ ...frame.axis, type: 'value', min: first, max: last, gridIndex });
  const seconds = { name: 'seconds', nameLocation: 'middle', nameGap: 26 };
  draw(
    figure.querySelector('.canvas'),
    { height: top + grids.length * (HIGH + BETWEEN) + 16 },
    {
      ...frame,
      legend: legendAbove({ itemWidth: 25, itemStyle: { opacity: 0 } }),
      grid: grids.map((_, at) => ({ ...SIDE, top: top + at * (HIGH + BETWEEN), height: HIGH })),
      axisPointer: { link: [{ xAxisIndex: 'all' }] },
      xAxis: grids.map((_, at) =>
        at === grids.length - 1
          ? { ...xAxis(at), ...seconds, axisLabel: { color: colour('soft'), showMaxLabel: false } }
          : { ...xAxis(at), axisLabel: { show: false } },
      ),
      yAxis: grids.map(({ name, scale }, at) => ({
        ...{ ...frame.axis, type: 'value', gridIndex: at, ...scale, ...sideways(name) },
      })),
      tooltip: { ...frame.tooltip, trigger: 'axis', formatter: toldAtOnce },
      series: grids.flatMap(({ series: [main, ...others] }, at) => {
        const bands = bandsOf(lane.bands, pixelsPerSecond, { areNamed: at === 0 });
        return [{ ...main, markArea: bands }, ...others].map((one) => ({ ...one, xAxisIndex: at, yAxisIndex: at }));
      }),
    },
  );
};

/** The tooltip of all lines at one second. */
function toldAtOnce(shown) {
  const words = shown.map(({ seriesName, value }) => `${seriesName}: ${value[1] ?? '–'}`);
  return tip(`second ${shown[0].value[0]}`, ...words);
}

function lineOver(rows, name, tone, type, pick) {
  return {
    ...{ name, type: 'line', color: colour(tone), lineStyle: { type, width: 1.8 } },
    ...{ symbol: 'circle', symbolSize: 4, showSymbol: rows.length < 16, connectNulls: false, z: 3 },
    data: rows.map((row) => [row.at, pick(row)]),
  };
}

/** Requests a second, and the rate that was to arrive, step by step. */
function rateOver(rows, { bands, every }) {
  const rate = ({ requests }) => Math.round((10 * requests) / every) / 10;
  const planned = bands.filter(({ rps }) => rps !== null);
  const line = {
    ...{ name: 'planned/s', type: 'line', color: colour('soft'), lineStyle: { type: 'dotted', width: 1.6 } },
    ...{ symbol: 'none', connectNulls: false, z: 2 },
    data: planned.flatMap(({ rps, from, to }) => [
      [from, rps],
      [to, rps],
      [to, null],
    ]),
  };
  return [lineOver(rows, 'requests/s', 'look', 'solid', rate), ...(planned.length === 0 ? [] : [line])];
}

function latencyOver(rows, lane, objectives) {
  const aims = objectives?.p99Ms == null ? [] : [objectives.p99Ms];
  const named = [...lane.rows.flatMap(({ p50, p99 }) => [p50, p99]).filter((ms) => ms > 0), ...aims];
  const p99 = lineOver(rows, 'p99 ms', 'ink', 'solid', (row) => row.p99);
  p99.markLine = aimLine(
    aims.map((ms) => ({ yAxis: ms, label: aimLabel(`objective ${short(ms)} ms`, 'insideEndTop') })),
  );
  const p50 = lineOver(rows, 'p50 ms', 'pass', 'solid', (row) => row.p50);
  return { name: 'ms', scale: named.length === 0 ? {} : msScale(named), series: [p50, p99] };
}

/** Shares of errors and of refusals by a limit, where there are any. */
function failuresOver(rows, lane, objectives) {
  const share = (kind) => (row) => (row.requests === 0 ? null : Math.round((1000 * row[kind]) / row.requests) / 10);
  const errors = lineOver(rows, 'errors %', 'fail', 'solid', share('errors'));
  const percent = objectives?.errorPercent ?? null;
  const aim = { yAxis: percent, label: aimLabel(`objective ${short(percent)} %`, 'insideEndTop') };
  if (percent !== null) errors.markLine = aimLine([aim]);
  const limited = lineOver(rows, '429 %', 'warn', 'dashed', share('limited'));
  return [...(lane.errors > 0 ? [errors] : []), ...(lane.limited > 0 ? [limited] : [])];
}

/** The name of an axis beside it, where nothing else is. */
function sideways(name) {
  return { name, nameLocation: 'middle', nameRotate: 90, nameGap: 42 };
}

/** How the name of a step stands above it: upright where it is narrow, and not at all where there is no room. */
function standingOf({ name, from, to }, pixelsPerSecond) {
  const wide = (to - from) * pixelsPerSecond;
  if (wide >= 7 * name.length + 4) return 'flat';
  return wide >= 13 && name.length < 9 ? 'upright' : 'absent';
}

/** Steps as bands, every other one shaded. */
function bandsOf(bands, pixelsPerSecond, { areNamed }) {
  const area = (band, index) => {
    const { name, from, to } = band;
    const standing = areNamed ? standingOf(band, pixelsPerSecond) : 'absent';
    return [
      {
        xAxis: from,
        name: standing === 'absent' ? '' : name,
        label:
          standing === 'flat' ? { rotate: 0, align: 'center' } : { rotate: 90, align: 'left', verticalAlign: 'middle' },
        itemStyle: { color: colour('soft'), opacity: index % 2 === 0 ? 0.13 : 0.05 },
      },
      { xAxis: to },
    ];
  };
  return {
    silent: true,
    label: { color: colour('soft'), fontSize: 11, position: 'top', distance: 3 },
    data: bands.map(area),
  };
}

/** Percentiles that the axis names, by how many nines they have. */
const NINES = { 0.5: '50 %', 0.9: '90 %', 0.95: '95 %', 0.99: '99 %', 0.999: '99.9 %', 0.9999: '99.99 %' };
const nines = (share) => -Math.log10(1 - share);

/** An axis of shares of answers, the last nines as wide as the first. */
function sharesUpTo(farthest, narrow) {
  const named = Object.entries(NINES).filter(([share]) => share <= farthest && !(narrow && share === '0.95'));
  const ticks = new Map(named.map(([share, name]) => [nines(share), name]));
  const nameOf = (value) => [...ticks].find(([at]) => Math.abs(at - value) < 1e-6)?.[1] ?? '';
  return {
    ...{ type: 'value', min: 0, max: nines(farthest), name: 'share of answers', nameLocation: 'middle', nameGap: 28 },
    axisLabel: { color: colour('soft'), customValues: [...ticks.keys()], formatter: nameOf },
    axisTick: { show: false, customValues: [...ticks.keys()] },
  };
}

drawers.loadLatency = (figure, data) => {
  const { groups } = laneOf(data);
  const curves = groups.filter(({ curve }) => curve.length > 1);
  figure.hidden = curves.length === 0;
  if (figure.hidden) return;
  const aim = data.load.objectives?.p99Ms ?? null;
  const all = curves.flatMap(({ curve }) => curve);
  const farthest = Math.max(...all.map(([share]) => share), 0.99);
  const frame = chartFrame();
  draw(
    figure.querySelector('.canvas'),
    { height: 320 },
    {
      ...frame,
      color: SERIES.map(colour),
      legend: legendAbove({ itemWidth: 25 }),
      grid: { ...SIDE, top: isNarrow(figure) ? 60 : 40, bottom: 44 },
      xAxis: { ...frame.axis, ...sharesUpTo(farthest, isNarrow(figure)) },
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
