// The matrix: per service all operations at a glance, wrapped into columns; or one resource with its operations by name.
const LETTERS = 'nopaf-';
const COLOURS = { f: 'fail', a: 'warn', p: 'hold', o: 'look', n: 'idle', '-': 'well' };
/** Pixels. Cells of a platform with more operations than `MANY` are small, so that all are on one screen. */
const SMALL = { wide: 9, tall: 4 };
const LARGE = { wide: 24, tall: 13 };
const MANY = 300;
/** Fewer operations than this are not wrapped. */
const ROWS = 32;
const LABELS = 46;
const resourceBox = document.getElementById('resource');
const overview = document.getElementById('overview');
let stateWords = {};

/** Where the cells of a service stand: blocks of columns side by side, each as wide as there are families and a gap. */
function layout(count, families, width, size) {
  const perBlock = families.length + 1;
  const fitting = Math.max(1, Math.floor(width / (perBlock * SMALL.wide)));
  const blocks = Math.max(1, Math.min(fitting, Math.ceil(count / ROWS)));
  const rows = Math.ceil(count / blocks);
  const columns = blocks * perBlock - 1;
  return { perBlock, rows, columns, width: Math.min(size.wide, width / columns) * columns, height: size.tall * rows };
}

function cellsOf(resource, operation, families, place) {
  return [...operation.cells].map((letter, at) => ({
    value: [...place(at), LETTERS.indexOf(letter)],
    about: { resource, operation, family: families[at], letter },
  }));
}

/** A cell, with a hair's breadth of paper around it. */
function cell(api) {
  const [wide, tall] = api.size([1, 1]);
  const [x, y] = api.coord([api.value(0), api.value(1)]);
  const shape = { x: x - wide / 2, y: y - tall / 2, width: wide - 0.7, height: tall - 0.7 };
  return { type: 'rect', shape, style: { fill: api.visual('color') }, emphasis: { style: { opacity: 0.6 } } };
}

function heatOption(frame, data, { x, y, grid }) {
  const axis = { type: 'category', axisLine: { show: false }, axisTick: { show: false } };
  return {
    ...frame,
    grid,
    xAxis: { ...axis, position: 'top', ...x },
    yAxis: { ...axis, inverse: true, ...y },
    tooltip: {
      ...frame.tooltip,
      formatter: ({ data: { about } }) =>
        tip(
          about.operation.name,
          `${about.family.id} ${about.family.name}: ${stateWords[about.letter]}`,
          about.resource.name,
        ),
    },
    visualMap: {
      show: false,
      type: 'piecewise',
      dimension: 2,
      pieces: Object.entries(COLOURS).map(([letter, name]) => ({
        value: LETTERS.indexOf(letter),
        color: colour(name),
      })),
    },
    // Not ECharts' own heat map: that one paints over many frames, and paper waits for none.
    series: [{ type: 'custom', data, progressive: 0, encode: { x: 0, y: 1 }, renderItem: (_, api) => cell(api) }],
  };
}

function drawGlance(figure, service, families, frame, size) {
  const rows = service.resources.flatMap((resource) =>
    resource.operations.map((operation) => ({ resource, operation })),
  );
  const place = layout(rows.length, families, figure.parentElement.clientWidth, size);
  const cells = rows.flatMap(({ resource, operation }, index) =>
    cellsOf(resource, operation, families, (at) => [
      Math.floor(index / place.rows) * place.perBlock + at,
      index % place.rows,
    ]),
  );
  const names = Array.from({ length: place.columns }, (_, at) => families[at % place.perBlock]?.id ?? '');
  const canvas = { width: place.width, height: place.height + LABELS };
  const option = heatOption(frame, cells, {
    x: { data: names, axisLabel: { color: colour('soft'), rotate: 90, interval: 0, fontSize: 9, margin: 4 } },
    y: { data: Array.from({ length: place.rows }, (_, index) => index), axisLabel: { show: false } },
    grid: { left: 0, top: LABELS, width: place.width, height: place.height },
  });
  const chart = draw(figure.querySelector('.canvas'), canvas, option, 'canvas');
  chart.on('click', ({ data: { about } }) => choose(`${service.name}\n${about.resource.name}`));
}

function drawResource(figure, resource, families, frame) {
  const canvas = figure.querySelector('.canvas');
  const width = figure.parentElement.clientWidth;
  const narrow = width < 640;
  const cells = resource.operations.flatMap((operation, row) =>
    cellsOf(resource, operation, families, (at) => [at, row]),
  );
  const label = { color: colour('ink'), fontSize: narrow ? 10 : 12 };
  const [names, top] = narrow ? [140, 52] : [340, 28];
  const height = 24 * resource.operations.length;
  const option = heatOption(frame, cells, {
    x: { data: families.map(({ id }) => id), axisLabel: { ...label, interval: 0, rotate: narrow ? 90 : 0 } },
    y: {
      data: resource.operations.map(({ name }) => name),
      axisLabel: { ...label, width: names - 12, overflow: 'truncate' },
    },
    grid: { left: names, top, right: 2, height },
  });
  const chart = draw(canvas, { width, height: height + top + 4 }, option, 'canvas');
  chart.on('click', ({ data: { about } }) => {
    location.hash = `#${about.operation.id}`;
  });
}

function choose(value) {
  resourceBox.value = value;
  resourceBox.dispatchEvent(new Event('change'));
}

/** The list of resources, with how many of their operations fail. */
function fillResources({ services }) {
  if (resourceBox.options.length > 1) return;
  for (const { name: service, resources } of services) {
    const group = document.createElement('optgroup');
    group.label = service;
    for (const { name, operations } of resources) {
      const failing = operations.filter(({ cells }) => cells.includes('f')).length;
      const text = `${name} (${operations.length}${failing > 0 ? `, ${failing} with failures` : ''})`;
      group.append(new Option(text, `${service}\n${name}`));
    }
    resourceBox.append(group);
  }
  resourceBox.closest('[hidden]')?.removeAttribute('hidden');
}

drawers.matrix = (section, { matrix }) => {
  const { families, services, states } = matrix;
  const frame = chartFrame();
  stateWords = Object.fromEntries(states.map(({ letter, word }) => [letter, word]));
  fillResources(matrix);
  const [wantedService, wantedResource] = resourceBox.value.split('\n');
  overview.hidden = resourceBox.value === '';
  const count = services.reduce(
    (sum, { resources }) => sum + resources.flatMap(({ operations }) => operations).length,
    0,
  );
  const size = count > MANY ? SMALL : LARGE;
  for (const figure of $('figure', section)) {
    const service = services.find(({ name }) => name === figure.dataset.service);
    figure.hidden = resourceBox.value !== '' && service.name !== wantedService;
    if (figure.hidden) continue;
    if (resourceBox.value === '') drawGlance(figure, service, families, frame, size);
    else
      drawResource(
        figure,
        service.resources.find(({ name }) => name === wantedResource),
        families,
        frame,
      );
  }
};
resourceBox?.addEventListener('change', () => drawFigure($('[data-chart="matrix"]')[0]));
overview?.addEventListener('click', () => choose(''));
