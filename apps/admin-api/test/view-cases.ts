/** A DataView with the requests of its readers. `HIDDEN` stands for the name of the hidden column. */
export interface ViewCase {
  readonly view: Readonly<Record<string, unknown>>;
  readonly requests: readonly ViewRequest[];
}

export interface ViewRequest {
  readonly reader: string;
  readonly query: string;
  /** Whether the rows are asked for as a file. */
  readonly file: boolean;
}

/** Generates DataViews over the bookings of a rental, and requests for them. The same seed gives the same cases. */
export function* createViewCases(seed: number, count: number): Generator<ViewCase> {
  const pick = createPicker(seed);
  for (let index = 0; index < count; index += 1) {
    const view = {
      name: `View ${index}`,
      ...(pick.chance(0.6) ? { fields: pick.some(storedFields, 1, 6) } : {}),
      ...(pick.chance(0.5)
        ? { where: filterOf(pick, pick.chance(0.15) ? everyField : plainFields, 2) }
        : {}),
      ...(pick.chance(0.6) ? { orderBy: ordersOf(pick, everyField) } : {}),
      ...(pick.chance(0.2) ? { limit: pick.whole(1, 8) } : {}),
      ...(pick.chance(0.85) ? { presentation: presentationOf(pick) } : {}),
    };
    const requests = Array.from({ length: 10 }, () => requestOf(pick));
    yield { view, requests };
  }
}

const plainFields = [
  "id",
  "branch",
  "title",
  "state",
  "paid",
  "driver_id",
  "starts",
  "ends",
  "day",
  "place",
];
const everyField = [...plainFields, "price", "HIDDEN", "note"];
const storedFields = [...everyField, "driver.name", "driver.HIDDEN", "driver"];
const askedFields = [...everyField, "driver.name", "driver.HIDDEN", "nope", "HIDDENs.id"];

function requestOf(pick: Picker): ViewRequest {
  const parts: [string, string][] = [];
  const add = (probability: number, name: string, value: () => string) => {
    if (pick.chance(probability)) parts.push([name, value()]);
  };
  add(0.4, "where", () =>
    JSON.stringify(filterOf(pick, pick.chance(0.2) ? askedFields : plainFields, 3)),
  );
  add(0.3, "order_by", () => ordersOf(pick, pick.chance(0.2) ? askedFields : plainFields).join());
  add(0.15, "fields", () => pick.some(pick.chance(0.3) ? askedFields : plainFields, 1, 3).join());
  add(0.2, "limit", () => String(pick.whole(1, 9)));
  add(0.2, "count", () => pick.one(["exact", "estimated"]));
  add(0.15, "search", () => pick.one(["Booking 1", "hidden", "Rome", "NEW"]));
  add(0.15, "from", () => pick.one(["2026-03-29", "2026-03-30T10:00:00Z"]));
  add(0.15, "to", () => pick.one(["2026-04-02", "2026-03-31T10:00:00+02:00"]));
  add(0.12, "group", () => pick.one(['"OUT"', "null", "true", "1", "5", '"GONE"']));
  add(0.4, "summaries", () => "true");
  const query = new URLSearchParams(parts).toString().replaceAll("+", "%20");
  return { reader: pick.one(["desk", "half", "both"]), query, file: pick.chance(0.12) };
}

function presentationOf(pick: Picker): object {
  const field = () => pick.one(everyField);
  const maybe = (name: string, fields: readonly string[]) =>
    pick.chance(0.5) ? { [name]: pick.one(fields) } : {};
  switch (pick.one(["table", "cards", "kanban", "kanban", "calendar", "form"])) {
    case "cards":
      return {
        ...{ version: 1, layout: "cards", title: field() },
        ...maybe("subtitle", everyField),
        badges: pick.some(storedFields.slice(0, -1), 0, 3),
      };
    case "kanban":
      return {
        ...{ version: 1, layout: "kanban", group: pick.one(["state", "paid", "driver_id"]) },
        title: pick.chance(0.8) ? "title" : field(),
        ...maybe("order", ["place", "HIDDEN", "day"]),
        ...maybe("color", everyField),
      };
    case "calendar":
      return pick.chance(0.5)
        ? {
            version: 1,
            layout: "calendar",
            start: "starts",
            title: field(),
            ...maybe("end", ["ends"]),
          }
        : {
            version: 1,
            layout: "calendar",
            start: "day",
            title: "title",
            ...maybe("color", everyField),
          };
    case "form":
      return {
        ...{ version: 1, layout: "form", use: pick.one(["CREATE", "EDIT", "BOTH"]) },
        sections: [
          { title: "One", fields: pick.some(everyField, 1, 4).map((name) => ({ field: name })) },
        ],
      };
    default:
      return {
        ...{ version: 1, layout: "table" },
        columns: pick.some(everyField, 0, 5).map((name) => ({
          field: name,
          summary: pick.one(summariesOf[name] ?? ["count", "countDistinct"]),
        })),
      };
  }
}

const summariesOf: Readonly<Record<string, readonly string[]>> = {
  id: ["sum", "max"],
  price: ["sum", "avg", "min", "count"],
  place: ["sum", "max"],
  HIDDEN: ["sum", "max"],
  day: ["min", "max"],
};

function ordersOf(pick: Picker, fields: readonly string[]): string[] {
  return pick
    .some(fields, 1, 3)
    .map((name) => `${pick.chance(0.5) ? "-" : ""}${name}${pick.chance(0.2) ? ":nulls_last" : ""}`);
}

/** The conditions of each field, with values that its type has. */
const conditions: Readonly<Record<string, readonly object[]>> = {
  id: [{ _lt: 15 }, { _in: [1, 2, 3, 101] }, { _gte: 3 }],
  state: [{ _eq: "NEW" }, { _neq: "OUT" }, { _in: ["NEW", "LOST"] }],
  paid: [{ _eq: true }, { _null: true }],
  driver_id: [{ _gt: 2 }, { _null: false }, { _eq: 5 }],
  starts: [{ _gte: "2026-03-29T00:00:00Z" }, { _lt: "2026-04-01T00:00:00Z" }],
  day: [{ _gte: "2026-03-30" }, { _eq: "2026-04-01" }],
  place: [{ _gt: 3 }, { _lt: 18.5 }],
  price: [{ _gt: 50 }, { _lte: 100.5 }, { _null: true }],
  HIDDEN: [{ _gt: 20 }, { _null: false }],
};

function filterOf(pick: Picker, fields: readonly string[], depth: number): object {
  if (depth > 0 && pick.chance(0.35)) {
    const inner = () => filterOf(pick, fields, depth - 1);
    return pick.one([
      () => ({ _or: [inner(), inner()] }),
      () => ({ _and: [inner(), inner()] }),
      () => ({ _not: inner() }),
    ])();
  }
  const name = pick.one(fields);
  if (pick.chance(0.1)) return { driver: { name: { _icontains: "driver" } } };
  return { [name]: pick.one(conditions[name] ?? [{ _icontains: "booking" }, { _null: false }]) };
}

interface Picker {
  chance(probability: number): boolean;
  whole(min: number, max: number): number;
  one<Item>(items: readonly Item[]): Item;
  /** Different items, in a random order. */
  some<Item>(items: readonly Item[], min: number, max: number): Item[];
}

/** Chooses by the generator mulberry32. */
function createPicker(seed: number): Picker {
  let state = seed;
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const whole = (min: number, max: number) => min + Math.floor(next() * (max - min + 1));
  const one = <Item>(items: readonly Item[]): Item => items[whole(0, items.length - 1)] as Item;
  return {
    chance: (probability) => next() < probability,
    whole,
    one,
    some: (items, min, max) => {
      const left = [...items];
      const size = Math.min(whole(min, max), left.length);
      return Array.from({ length: size }, () => left.splice(whole(0, left.length - 1), 1)).flat();
    },
  };
}
