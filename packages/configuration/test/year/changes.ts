import { type Column, keyOf, type Model, type OtherTable, type OwnTable } from "./model.ts";

/** Returns a function of numbers from 0 to below a maximum, the same for the same seed. */
export function randomOf(seed: number): (max: number) => number {
  let state = seed >>> 0;
  return (max) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let value = Math.imul(state ^ (state >>> 15), 1 | state);
    value = (value + Math.imul(value ^ (value >>> 7), 61 | value)) ^ value;
    return ((value ^ (value >>> 14)) >>> 0) % max;
  };
}

export type Random = ReturnType<typeof randomOf>;

let count = 0;
const fresh = (start: string) => `${start}_${++count}`;

/** Returns the model of the first month: 22 tables of the files, 8 of other tools, 12 roles, 10 workflows. */
export function firstModel(random: Random): Model {
  count = 0;
  const model: Model = { month: 0, tables: [], others: [], roles: [], flows: [], moods: ["OK"] };
  for (let made = 0; made < 22; made++) addTable(model, random);
  for (let made = 0; made < 12; made++) addRole(model);
  for (const role of model.roles.slice(0, 10)) {
    model.flows.push({ slug: fresh("flow").replace("_", "-"), value: 0, role });
  }
  for (let made = 0; made < 8; made++) {
    const schema = made < 5 ? "fly" : "public";
    const hasFile = schema === "public" || made < 2;
    model.others.push({ ...newOther(schema, hasFile), isPartitioned: made === 7 });
  }
  for (let made = 0; made < 24; made++) addGrant(model, random);
  return model;
}

function addTable({ tables }: Model, random: Random): void {
  const column = (name: string, type: string): Column => ({
    ...{ name, former: null, type, label: null },
  });
  tables.push({
    ...{ name: fresh("own"), former: null, label: null, exposed: random(2) === 0, isNew: true },
    columns: [column("id", "integer"), column("n", "integer"), column(fresh("c"), "text")],
    ...{ hasView: random(6) === 0, index: random(3) === 0 ? fresh("index") : null },
  });
}

function addRole({ roles }: Model): void {
  roles.push({ name: fresh("Role"), former: null, grants: [], isNew: true });
}

function addGrant({ roles, tables, others }: Model, random: Random): void {
  const role = pick(roles, random);
  const table = pick<OwnTable | OtherTable>([...tables, ...others], random);
  const action = random(3) === 0 ? "UPDATE" : "READ";
  if (role.grants.some((one) => one.table === table && one.action === action)) return;
  const columns: readonly (Column | string)[] = table.columns;
  const fields = random(2) === 0 ? null : columns.filter((_, at) => at === 0 || random(2) === 0);
  role.grants.push({ table, action, fields });
}

/** Changes the model as an author of the files would. */
export function changeFiles(model: Model, random: Random): string {
  const { tables, roles, flows, moods } = model;
  const table = pick(tables, random);
  const column = pick(table.columns.slice(2), random);
  switch (random(16)) {
    case 0:
      addTable(model, random);
      return "add a table";
    case 1: {
      if (table.hasView || tables.length < 15) return "";
      tables.splice(tables.indexOf(table), 1);
      for (const role of roles) remove(role.grants, (grant) => grant.table === table);
      return `drop ${keyOf(table)}`;
    }
    case 2:
      if (table.former !== null || table.isNew) return "";
      table.former = table.name;
      table.name = fresh("own");
      return `rename own.${table.former} to ${table.name}`;
    case 3:
    case 4: {
      const type = ["text", "integer", "own.mood", "numeric"][random(4)] ?? "text";
      table.columns.push({ name: fresh("c"), former: null, type, label: null, isNew: true });
      return `add a column to ${keyOf(table)}`;
    }
    case 5: {
      if (column === undefined || table.columns.length < 4) return "";
      table.columns.splice(table.columns.indexOf(column), 1);
      forget(model, table, column);
      return `drop ${keyOf(table)}.${column.name}`;
    }
    case 6:
      if (column === undefined || column.former !== null || column.isNew || table.isNew) return "";
      column.former = column.name;
      column.name = fresh("c");
      return `rename ${keyOf(table)}.${column.former} to ${column.name}`;
    case 7:
      if (column?.type !== "integer") return "";
      column.type = "bigint";
      return `widen ${keyOf(table)}.${column.name}`;
    case 8:
      if (column !== undefined) column.label = fresh("Label");
      return `label a column of ${keyOf(table)}`;
    case 9:
      table.label = random(3) === 0 ? null : fresh("Label");
      table.exposed = !table.exposed;
      return `show ${keyOf(table)}`;
    case 10:
    case 11:
      addGrant(model, random);
      return "grant";
    case 12: {
      const { grants } = pick(roles, random);
      if (grants.length > 0) grants.splice(random(grants.length), 1);
      return "revoke";
    }
    case 13: {
      const role = pick(roles, random);
      if (role.former !== null || role.isNew) return "";
      role.former = role.name;
      role.name = fresh("Role");
      return `rename ${role.former} to ${role.name}`;
    }
    case 14: {
      const unused = roles.filter((role) => !flows.some((flow) => flow.role === role));
      if (random(2) === 0 || unused.length === 0) addRole(model);
      else roles.splice(roles.indexOf(pick(unused, random)), 1);
      return "add or drop a role";
    }
    default: {
      const flow = pick(flows, random);
      flow.value++;
      flow.role = pick(roles, random);
      if (random(3) === 0) moods.push(fresh("MOOD"));
      return `change ${flow.slug}`;
    }
  }
}

/** Changes what other tools own. Returns the SQL, and changes the model as far as its files name it. */
export function changeOthers(model: Model, random: Random): string {
  const table = pick(model.others, random);
  const key = keyOf(table);
  switch (random(5)) {
    case 0: {
      const made = newOther("fly", random(2) === 0);
      model.others.push(made);
      return createSql(made);
    }
    case 1: {
      const name = fresh("c");
      table.columns.push(name);
      return `alter table ${key} add column ${name} text`;
    }
    case 2: {
      const name = table.columns[2];
      if (name === undefined) return "";
      table.columns.splice(2, 1);
      table.labels.delete(name);
      for (const { grants } of model.roles) {
        for (const grant of grants.filter((one) => one.table === table)) {
          remove(grant.fields ?? [], (field) => field === name);
        }
      }
      return `alter table ${key} drop column ${name}`;
    }
    case 3:
      if (table.isPartitioned) return "";
      table.name = fresh("other");
      return `alter table ${key} rename to ${table.name}`;
    default:
      return `create or replace view fly.${fresh("view")} as select id from ${key};
        create type fly.${fresh("kind")} as enum ('A')`;
  }
}

/** Labels a column of a table of other tools in its file. */
export function labelOthers({ others }: Model, random: Random): void {
  const table = pick(
    others.filter(({ hasFile }) => hasFile),
    random,
  );
  const column = pick(table.columns, random);
  if (random(3) === 0) table.labels.delete(column);
  else table.labels.set(column, fresh("Label"));
}

export function newOther(schema: OtherTable["schema"], hasFile: boolean): OtherTable {
  const name = fresh("other");
  return { name, schema, columns: ["id", "note"], hasFile, labels: new Map() };
}

export function createSql(table: OtherTable): string {
  const columns = table.columns.map((name) => `${name} ${name === "id" ? "integer" : "text"}`);
  const made = `create table ${keyOf(table)} (${columns.join(", ")}, primary key (id))`;
  return table.isPartitioned ? `${made} partition by range (id)` : made;
}

function forget({ roles }: Model, table: OwnTable, column: Column): void {
  for (const { grants } of roles) {
    for (const grant of grants.filter((one) => one.table === table)) {
      remove(grant.fields ?? [], (field) => field === column);
    }
  }
}

/** Ends a month: what was renamed or new is so no longer. */
export function settle({ tables, roles }: Model): void {
  for (const named of [...tables, ...roles, ...tables.flatMap(({ columns }) => columns)]) {
    named.former = null;
    named.isNew = false;
  }
}

export function pick<Item>(items: readonly Item[], random: Random): Item {
  return items[random(items.length)] as Item;
}

function remove<Item>(items: Item[], isGone: (item: Item) => boolean): void {
  const kept = items.filter((item) => !isGone(item));
  items.splice(0, items.length, ...kept);
}
