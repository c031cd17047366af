/** A dashboard and requests that open it. `HIDDEN` is the name of a hidden column; resources are `BOOKINGS` and `SECRETS`. */
export interface BoardCase {
  readonly board: object;
  readonly requests: readonly { readonly reader: string; readonly path: string }[];
}

/** A linear congruential generator: equal seeds give equal cases. */
function createRandom(seed: number) {
  let state = seed % 2_147_483_647;
  const next = (below: number): number => {
    state = (state * 48_271) % 2_147_483_647;
    return state % below;
  };
  const pick = <Item>(items: readonly [Item, ...Item[]]): Item =>
    items[next(items.length)] ?? items[0];
  return { next, pick, chance: (percent: number) => next(100) < percent };
}

type Random = ReturnType<typeof createRandom>;

const parameters = [
  { name: "period", label: "Period", kind: "PERIOD" },
  { name: "channel", label: "Channel", kind: "VALUE", resourceId: "BOOKINGS", field: "channel" },
  {
    name: "states",
    label: "States",
    kind: "VALUE",
    resourceId: "BOOKINGS",
    field: "state",
    multiple: true,
  },
  { name: "price", label: "Price", kind: "VALUE", resourceId: "BOOKINGS", field: "price" },
  { name: "hush", label: "Other", kind: "VALUE", resourceId: "BOOKINGS", field: "HIDDEN" },
  { name: "person", label: "Person", kind: "PERSON", resourceId: "BOOKINGS", field: "owner_id" },
];
const bindings = [
  { parameter: "period", field: "starts" },
  { parameter: "period", field: "day" },
  { parameter: "channel", field: "channel" },
  { parameter: "states", field: "state" },
  { parameter: "price", field: "price" },
  { parameter: "hush", field: "HIDDEN" },
  { parameter: "person", field: "owner_id" },
];

const aggregates = [
  "count",
  "count(channel)",
  "count_distinct(state)",
  "max(day)",
  "min(starts)",
  "sum(price)",
  "avg(price)",
  "max(HIDDEN)",
] as const;
const groups = [
  "state",
  "channel",
  "branch",
  "date_trunc(day,starts)",
  "date_trunc(hour,starts)",
  "date_trunc(week,day)",
  "date_trunc(month,day)",
  "price",
  "HIDDEN",
] as const;

const filterOf = ({ pick }: Random): object =>
  pick([
    {},
    {},
    {},
    { where: { state: { _neq: "NEW" } } },
    { where: { day: { _gt: "2026-04-01" } } },
    { where: { _or: [{ channel: { _null: true } }, { channel: { _contains: "e" } }] } },
    { where: { price: { _gt: 50 } } },
    { where: { HIDDEN: { _gt: 5 } } },
  ]);

function panelOf(random: Random, index: number): object {
  const { pick, chance, next } = random;
  const bound = bindings.filter(() => chance(25));
  const common = {
    id: `p${index}`,
    title: `Panel ${index}`,
    resourceId: chance(92) ? "BOOKINGS" : "SECRETS",
  };
  const own =
    common.resourceId === "SECRETS" ? { ...common, bindings: [] } : { ...common, bindings: bound };
  const isSecret = common.resourceId === "SECRETS";
  const where = isSecret ? {} : filterOf(random);
  const aggregate = isSecret ? ["count"] : [pick(aggregates)];
  const group = () => (isSecret ? "day" : pick(groups));
  switch (pick(["FIGURE", "CHART", "CHART", "PIVOT", "LIST"])) {
    case "FIGURE": {
      const time =
        isSecret || chance(40)
          ? {}
          : {
              time: { field: pick(["starts", "day"]) },
              comparison: chance(70),
              sparkline: chance(60),
            };
      return { kind: "FIGURE", ...own, definition: { aggregate, ...where, ...time } };
    }
    case "CHART": {
      const [axis, series] = [group(), group()];
      const groupBy = axis === series || chance(60) ? [axis] : [axis, series];
      const more = chance(15) ? { limit: 1 + next(6) } : {};
      return { kind: "CHART", ...own, definition: { aggregate, groupBy, ...where, ...more } };
    }
    case "PIVOT": {
      const [row, column] = [group(), group()];
      const columns = row === column ? [] : [column];
      return {
        ...{ kind: "PIVOT", ...own, presentation: { version: 1, totals: chance(50) } },
        definition: { aggregate, rows: [row], columns, ...where },
      };
    }
    default: {
      const fields =
        isSecret || chance(40)
          ? {}
          : { fields: ["id", "state", "price", "HIDDEN"].filter(() => chance(60)) };
      const isEmpty = "fields" in fields && fields.fields?.length === 0;
      const columns = isSecret
        ? []
        : [
            { field: "HIDDEN", width: 90 },
            { field: "state", pinned: true },
          ];
      return {
        ...{
          kind: "LIST",
          ...own,
          presentation: { version: 1, layout: "table", columns: chance(50) ? columns : [] },
        },
        definition: {
          ...(isEmpty ? {} : fields),
          ...where,
          orderBy: isSecret ? [] : [pick(["-id", "state", "HIDDEN"])],
          limit: 5,
        },
      };
    }
  }
}

const values: readonly [object, ...object[]] = [
  {},
  { period: { from: "2026-03-28", until: "2026-04-01" } },
  { period: { from: "2026-03-01", until: "2026-04-15" }, channel: "web" },
  { period: "LAST_YEAR" },
  { channel: "hid" },
  { states: ["NEW", "OUT"] },
  { states: [] },
  { price: "20.02" },
  { hush: 9 },
  { nothing: 1 },
  { person: "00000000-0000-4000-8000-000000000001" },
  { channel: 7, period: "NEVER" },
];

function requestOf({ pick, chance, next }: Random, panels: number): string {
  const given = encodeURIComponent(JSON.stringify(pick(values)));
  const panel = `p${next(panels)}`;
  if (chance(45)) return `?parameters=${given}${chance(15) ? "&panels=false" : ""}`;
  if (chance(25)) {
    const name = pick(["channel", "states", "price", "hush", "person", "period", "nothing"]);
    return `/parameters/${name}/values?search=${pick(["", "", "w", "2", "x"])}`;
  }
  if (chance(25)) return `/panels/${panel}?parameters=${given}`;
  const mark = pick<object>([
    {},
    { state: "NEW" },
    { state: "OUT" },
    { channel: null },
    { starts_day: "2026-03-28T23:00:00+00:00" },
    { starts_hour: "2026-03-29T01:00:00+00:00" },
    { day_week: "2026-03-30" },
    { price: "20.02" },
    { HIDDEN: "9" },
    { count: 3 },
  ]);
  const own = pick([
    "",
    "",
    "&count=exact",
    "&order_by=-id&limit=3",
    "&fields=id,HIDDEN",
    "&search=e",
    `&where=${encodeURIComponent('{"price":{"_gt":40}}')}`,
  ]);
  return `/panels/${panel}/rows?parameters=${given}&mark=${encodeURIComponent(JSON.stringify(mark))}${own}`;
}

/** Creates dashboards with requests of three readers. */
export function createBoardCases(seed: number, count: number): BoardCase[] {
  const random = createRandom(seed);
  return Array.from({ length: count }, () => {
    const size = 1 + random.next(4);
    const panels = Array.from({ length: size }, (_, index) => panelOf(random, index));
    const defaults = random.chance(30)
      ? { default: { from: "2026-03-27", until: "2026-04-10" } }
      : {};
    const [period, ...others] = parameters;
    return {
      board: { name: "Board", parameters: [{ ...period, ...defaults }, ...others], panels },
      requests: Array.from({ length: 9 }, (_, index) => ({
        reader: ["desk", "half", "both"][index % 3] ?? "desk",
        path: requestOf(random, size),
      })),
    };
  });
}
