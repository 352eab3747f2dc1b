// The charts of timing and history. Each has a table below it that says the same.
drawers.distribution = (figure, { timing }) => drawDistribution(figure, timing.services);

/** Bars side by side for each of the groups; they share their classes, each twice as long as the one four before. */
function drawDistribution(figure, groups) {
  const frame = chartFrame();
  const all = [...new Set(groups.flatMap(({ bars }) => bars.map(({ ms }) => ms)))].sort((a, b) => a - b);
  draw(
    figure.querySelector('.canvas'),
    { height: 260 },
    {
      ...frame,
      color: SERIES.map(colour),
      legend: { top: 0, right: 0, textStyle: { color: colour('ink') } },
      grid: { left: 44, right: 8, top: 34, bottom: 40 },
      xAxis: {
        ...frame.axis,
        type: 'category',
        data: all.map((ms) => `${ms}`),
        name: 'ms',
        nameLocation: 'middle',
        nameGap: 26,
      },
      yAxis: { ...frame.axis, type: 'value', axisLabel: { ...frame.axis.axisLabel, formatter: '{value} %' } },
      tooltip: {
        ...frame.tooltip,
        trigger: 'axis',
        formatter: (rows) =>
          tip(
            `up to ${rows[0].axisValue} ms`,
            ...rows.map(({ seriesName, value }) => `${seriesName}: ${value ?? 0} %`),
          ),
      },
      series: groups.map(({ name, bars }) => ({
        name,
        type: 'bar',
        barGap: '0%',
        data: all.map((ms) => bars.find((bar) => bar.ms === ms)?.percent ?? 0),
      })),
    },
  );
}

drawers.slowest = (figure, { timing }) => {
  const frame = chartFrame();
  const rows = timing.slowest.toReversed();
  const narrow = isNarrow(figure);
  const parts = ['p50', 'p95', 'p99'];
  draw(
    figure.querySelector('.canvas'),
    { height: 60 + 34 * rows.length },
    {
      ...frame,
      color: ['pass', 'look', 'warn'].map(colour),
      legend: { top: 0, right: 0, textStyle: { color: colour('ink') } },
      grid: { left: narrow ? 150 : 340, right: 24, top: 30, bottom: 24 },
      xAxis: { ...frame.axis, type: 'value' },
      yAxis: {
        ...frame.axis,
        type: 'category',
        data: rows.map(({ operation }) => operation),
        axisLabel: {
          color: colour('ink'),
          width: narrow ? 140 : 330,
          overflow: 'truncate',
          fontSize: narrow ? 10 : 12,
        },
      },
      tooltip: {
        ...frame.tooltip,
        trigger: 'axis',
        axisPointer: { type: 'shadow' },
        formatter: (all) => tip(all[0].axisValue, ...all.map(({ seriesName, value }) => `${seriesName}: ${value} ms`)),
      },
      series: parts.map((part) => ({ name: part, type: 'bar', barGap: '10%', data: rows.map((row) => row[part]) })),
    },
  );
};

drawers.history = (figure, { history: { runs } }) => {
  const frame = chartFrame();
  const bar = (name, pick) => ({ name, type: 'bar', stack: 'found', data: runs.map(pick) });
  draw(
    figure.querySelector('.canvas'),
    { height: 260 },
    {
      ...frame,
      color: ['fail', 'warn', 'look'].map(colour),
      legend: { top: 0, right: 0, textStyle: { color: colour('ink') } },
      grid: { left: 44, right: 52, top: 34, bottom: 28 },
      xAxis: { ...frame.axis, type: 'category', data: runs.map(({ when }) => when) },
      yAxis: [
        { ...frame.axis, type: 'value', minInterval: 1 },
        { ...frame.axis, type: 'value', name: 'ms', splitLine: { show: false } },
      ],
      tooltip: {
        ...frame.tooltip,
        trigger: 'axis',
        formatter: (rows) =>
          tip(runs[rows[0].dataIndex].id, ...rows.map(({ seriesName, value }) => `${seriesName}: ${value ?? '–'}`)),
      },
      series: [
        bar('violations', ({ violations }) => violations),
        bar('advisories', ({ advisories }) => advisories),
        { name: 'p99 ms', type: 'line', yAxisIndex: 1, data: runs.map(({ p99 }) => p99) },
      ],
    },
  );
};

reveal();
