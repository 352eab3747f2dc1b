// The chart of earlier runs; the table below it says the same.
drawers.history = (figure, { history: { runs } }) => {
  const frame = chartFrame();
  const bar = (name, pick) => ({ name, type: 'bar', stack: 'found', data: runs.map(pick) });
  draw(
    figure.querySelector('.canvas'),
    { height: 260 },
    {
      ...frame,
      color: ['fail', 'warn', 'look'].map(colour),
      legend: legendAbove({ left: 'auto', right: 0 }),
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
