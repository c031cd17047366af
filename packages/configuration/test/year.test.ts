// Tier: long. A year of random changes in two databases takes minutes.
import { createSnapshotStore, type Database } from "@rowhouse/db";
import { createTestDatabase } from "@rowhouse/testing";
import { expect, it, onTestFinished } from "vitest";
import { type Plan, readDrift } from "../src/index.ts";
import { type Configurator, createConfigurator, stepsOf } from "./configuration.ts";
import {
  changeFiles,
  changeOthers,
  createSql,
  firstModel,
  labelOthers,
  newOther,
  pick,
  type Random,
  randomOf,
  settle,
} from "./year/changes.ts";
import { filesOf, keyOf, type Model, pathOf, shownOf, shownSql } from "./year/model.ts";

const day = Math.floor(Date.now() / 86_400_000);
const seed = Number(process.env.ROWHOUSE_FUZZ_SEED ?? day);

interface Place extends Configurator {
  readonly database: Database;
  /** The tables that somebody has made beside the files. */
  readonly beside: string[];
  drift(): Promise<string[]>;
}

async function open(): Promise<Place> {
  const test = await createTestDatabase();
  onTestFinished(() => test.drop());
  const snapshots = createSnapshotStore(test.service);
  const drift = async () => {
    const { files } = await readDrift(test.service, snapshots);
    return files.map(({ kind, path }) => `${kind} ${path}`);
  };
  return { ...(await createConfigurator(test)), database: test.database, beside: [], drift };
}

/** The steps that an apply takes without a consent for what is in no file. */
const taken = (plan: Plan) => stepsOf({ ...plan, steps: plan.steps.filter((s) => !s.isOptional) });

/** Plans and applies the files, and expects what always holds. */
async function apply(place: Place, model: Model, missing: readonly string[] = []): Promise<void> {
  const files = filesOf(model);
  const plan = await place.plan(files);
  expect(plan.missing.map(({ document }) => document)).toEqual(missing);
  const others = new Set(model.others.map(keyOf));
  const structural = plan.steps.filter(({ kind }) => /^(?:table|view|type)\./.test(kind));
  const touched = structural.map(({ subject }) => subject);
  expect(touched.filter((key) => others.has(key) || key.startsWith("fly."))).toEqual([]);
  const optional = plan.steps.filter(({ isOptional }) => isOptional).map(({ subject }) => subject);
  expect(optional).toEqual(place.beside);
  const needed = plan.steps.filter(({ isOptional }) => !isOptional);
  await place.apply(
    plan,
    needed.flatMap(({ needsConsent }) => needsConsent),
  );
  const again = await place.plan(files);
  expect(taken(again)).toEqual([]);
  expect(again.missing.map(({ document }) => document)).toEqual(missing);
  expect(await place.drift()).toEqual(driftOf(place));
}

const driftOf = ({ beside }: Place, ...more: string[]) =>
  [...beside.map((key) => `NOT_IN_FILES tables/${key.replace(".", "/")}.yaml`), ...more].toSorted(
    (a, b) => (a.split(" ")[1] ?? "").localeCompare(b.split(" ")[1] ?? "", "en"),
  );

/** Expects that a database shows and grants what the model does, and has lost no row. */
async function expectModel(place: Place, model: Model): Promise<void> {
  const rows = await place.database.query<{ line: string }>(shownSql);
  expect(rows.map(({ line }) => line).toSorted()).toEqual(shownOf(model));
  for (const table of model.tables) {
    const found = await place.database.query(`select id::text as id from ${keyOf(table)}`);
    if (found.length === 0)
      await place.database.query(`insert into ${keyOf(table)} (id) values (1)`);
    expect([keyOf(table), found.length]).toEqual([keyOf(table), table.isNew ? 0 : 1]);
  }
}

/** Changes something of the files by hand. Returns the drift. */
async function changeByHand(place: Place, model: Model, random: Random): Promise<string[]> {
  const table = pick(model.tables, random);
  const other = pick(
    model.others.filter(({ hasFile }) => hasFile),
    random,
  );
  const role = model.roles.find(({ grants }) => grants.length > 0);
  switch (random(4)) {
    case 0:
      await place.database.query(`alter table ${keyOf(table)} add column by_hand text`);
      return [`CHANGED ${pathOf(table)}`];
    case 1:
      await place.database.query(
        `update system.resources set label = 'By hand' where relation_oid = '${keyOf(other)}'::regclass`,
      );
      return [`CHANGED ${pathOf(other)}`];
    case 2:
      if (role === undefined) return [];
      await place.database.query(
        `delete from system.grants where role_id = (select id from system.roles where name = '${role.name}')`,
      );
      return [`CHANGED roles/${role.name}.yaml`];
    default:
      return [];
  }
}

async function liveAYear(report: (place: string) => void): Promise<void> {
  const random = randomOf(seed);
  const [staging, production] = [await open(), await open()];
  const places = [staging, production];
  const everywhere = async (sql: string) => {
    if (sql !== "") for (const { database } of places) await database.query(sql);
  };
  const model = firstModel(random);
  report("the first apply");
  await everywhere("create schema fly");
  for (const table of model.others) await everywhere(createSql(table));
  for (const place of places) {
    await apply(place, model);
    await expectModel(place, model);
  }
  settle(model);
  for (model.month = 1; model.month <= 12; model.month++) {
    const changes: string[] = [];
    const say = (change: string) => {
      changes.push(change);
      report(`month ${model.month}: ${changes.join("; ")}`);
    };
    say("partitions");
    const [parted] = model.others.filter(({ isPartitioned }) => isPartitioned);
    await everywhere(
      `create table ${keyOf(parted ?? newOther("fly", false))}_${model.month} partition of ${keyOf(parted ?? newOther("fly", false))} for values from (${model.month}) to (${model.month + 1})`,
    );
    for (let change = 0; change < 3; change++) {
      const sql = changeOthers(model, random);
      say(sql);
      await everywhere(sql);
    }
    if (random(2) === 0) labelOthers(model, random);
    for (let change = 0; change < 8; change++) say(changeFiles(model, random));
    const late = random(3) === 0 ? newOther(random(2) === 0 ? "fly" : "public", true) : undefined;
    if (late !== undefined) {
      // The other tool makes it in production after the apply.
      model.others.push(late);
      model.roles[0]?.grants.push({ table: late, action: "READ", fields: null });
      await staging.database.query(createSql(late));
      say(`late ${keyOf(late)}`);
    }
    if (random(2) === 0) {
      const place = pick(places, random);
      const key = `public.beside_${model.month}`;
      await place.database.query(
        `create table ${key} (id int primary key); insert into ${key} values (1)`,
      );
      place.beside.push(key);
      place.beside.sort();
      say(`beside ${key}`);
    }
    await apply(staging, model);
    if (late !== undefined) {
      await apply(production, model, [`roles/${model.roles[0]?.name}.yaml`, pathOf(late)]);
      await production.database.query(createSql(late));
    }
    await apply(production, model);
    for (const place of places) await expectModel(place, model);
    const pulled = await Promise.all(
      places.map(async (place) => {
        const files = { ...(await place.pull()) };
        for (const key of place.beside) delete files[`tables/${key.replace(".", "/")}.yaml`];
        return files;
      }),
    );
    expect(pulled[1]).toEqual(pulled[0]);
    settle(model);
    const place = pick(places, random);
    const [allowed] = place.beside;
    if (allowed !== undefined && random(2) === 0) {
      say(`allow ${allowed}`);
      await place.apply(await place.plan(filesOf(model)), [`drop:${allowed}`]);
      place.beside.shift();
      const [found] = await place.database.query<{ oid: string | null }>(
        `select to_regclass('${allowed}') as oid`,
      );
      expect(found?.oid).toBeNull();
    }
    const changed = await changeByHand(place, model, random);
    say(`by hand ${changed}`);
    expect(await place.drift()).toEqual(driftOf(place, ...changed));
  }
}

it(`a year beside other tools keeps two databases equal, and what other tools own as it is (seed ${seed})`, async () => {
  let last = "";
  try {
    await liveAYear((place) => {
      last = place;
    });
  } catch (error) {
    throw new Error(`ROWHOUSE_FUZZ_SEED=${seed}, ${last}`, { cause: error });
  }
}, 600_000);
