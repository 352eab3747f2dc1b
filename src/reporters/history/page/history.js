// The charts of the history; the table below each says the same.

/** Shared parts of charts over runs: points in the order of time, named by when they started. */
function overRuns(figure, points, { axes, series, lines }) {
  const frame = chartFrame();
  draw(
    figure.querySelector('.canvas'),
    { height: 260 },
    {
      ...frame,
      legend: legendAbove({ left: 'auto', right: 0 }),
      grid: { left: 52, right: axes.length > 1 ? 52 : 16, top: 34, bottom: 28 },
      xAxis: { ...frame.axis, type: 'category', data: namesOf(points) },
      yAxis: axes.map((axis) => ({ ...frame.axis, type: 'value', ...axis })),
      tooltip: { ...frame.tooltip, trigger: 'axis', formatter: ([{ dataIndex }]) => tip(...lines(points[dataIndex])) },
      series,
    },
  );
}

/** Days, and times of day where a day has several points. */
function namesOf(points) {
  const days = points.map(({ when }) => when.slice(0, 10));
  return new Set(days).size < days.length ? points.map(({ when }) => when) : days;
}

/** A line with a mark for each point. */
function line(name, tone, points, pick, more = {}) {
  const color = colour(tone);
  const symbolSize = points.length > 60 ? 0 : 6;
  return { name, type: 'line', color, symbol: 'circle', symbolSize, data: points.map(pick), ...more };
}

/** A mark on the ground for each run that ended so: without it, a run that keeps its contract is a gap. */
function ended(verdict, name, chart) {
  const data = chart.map((run) => (run.ended === verdict ? 0 : null));
  const color = colour(verdict === 'pass' ? 'pass' : 'soft');
  return { name, type: 'scatter', symbol: 'rect', symbolSize: [5, 9], symbolOffset: [0, -4], color, data };
}

drawers.course = (figure, { chart }) =>
  overRuns(figure, chart, {
    axes: [
      { minInterval: 1 },
      { min: 0, max: 100, splitLine: { show: false }, axisLabel: { color: colour('soft'), formatter: '{value} %' } },
    ],
    series: [
      { name: 'violations', type: 'bar', color: colour('fail'), data: chart.map(({ violations }) => violations) },
      ended('pass', 'keeps', chart),
      ended('none', 'no verdict', chart),
      line('reach', 'look', chart, ({ reach }) => reach, { yAxisIndex: 1 }),
    ],
    lines: ({ when, id, verdict, violations, reach }) => [
      `${when}, run ${id}`,
      verdict,
      `violations: ${violations}`,
      reach === null ? 'no operation in scope' : `${reach} % of the operations tested`,
    ],
  });

drawers.weeks = (figure, { chosen: { weeks } }) => {
  const points = weeks.map((week) => ({ ...week, when: week.week }));
  overRuns(figure, points, {
    axes: [{ name: 'ms', min: 0 }],
    series: [line('p50', 'pass', points, ({ p50 }) => p50), line('p99', 'warn', points, ({ p99 }) => p99)],
    lines: ({ week, runs, p50, p99 }) => [`week of ${week}, runs: ${runs}`, `p50 ${p50} ms`, `p99 ${p99} ms`],
  });
};

drawers.sensitivity = (figure, { runs }) =>
  overRuns(figure, runs, {
    axes: [{ name: '%', max: 100 }],
    series: [line('noticed', 'look', runs, ({ percent }) => percent)],
    lines: ({ when, place, caught, planted, share }) => [`${when} ${place}`, `${caught} of ${planted}: ${share}`],
  });

drawers.figure = (figure, { series: all }) => {
  const { points, unit } = all[Number(figure.dataset.at)];
  const bound = { symbol: 'none', symbolSize: 0, lineStyle: { type: 'dashed', width: 1 } };
  overRuns(figure, points, {
    axes: [{ name: unit, min: 0 }],
    series: [
      line('value', 'look', points, ({ value }) => value),
      line('at least', 'pass', points, ({ least }) => least, bound),
      line('at most', 'warn', points, ({ most }) => most, bound),
    ],
    lines: ({ when, place, versions, text }) => [`${when} ${place}`, versions, `${text} ${unit}`],
  });
};
