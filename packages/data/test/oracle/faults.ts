import { type Access, relationDepthMax } from "./evaluate-access.ts";
import { textTestOf } from "./evaluate-filter.ts";
import type {
  Action,
  AggregateRequest,
  Column,
  Condition,
  Filter,
  ListRequest,
  Method,
  Path,
  ReadRequest,
  Table,
  TypeName,
} from "./model.ts";
import { nameOfOutput, typeOfOutput } from "./outputs.ts";
import { columnOf, writePath } from "./relations.ts";
import { isPattern, isScalar, readLiteral } from "./values.ts";

/**
 * Returns the possible error codes before any field is checked; empty if the user may act. A resource that is hidden
 * from the user gives the same code as a missing one. If the method is not exposed and the action not granted, either
 * code is correct.
 */
export function refusalsOf(
  action: Action,
  method: Method,
  table: Table | undefined,
  access: Access,
): string[] {
  const { user } = access;
  if (user.roles.length === 0 && !user.administrator) return ["AUTHENTICATION_REQUIRED"];
  if (table === undefined || table.exposed.length === 0) return ["NOT_FOUND"];
  if (access.grants(table).length === 0) return ["NOT_FOUND"];
  const codes: string[] = [];
  if (!table.exposed.includes(method)) codes.push("METHOD_NOT_ALLOWED");
  if (access.grants(table, action).length === 0) codes.push("ACTION_DENIED");
  return codes;
}

/** Returns the codes that may reject a read; empty if it must succeed. */
export function faultsOf(
  request: ListRequest | ReadRequest | AggregateRequest,
  table: Table | undefined,
  access: Access,
): string[] {
  const refusals = refusalsOf("READ", "GET", table, access);
  if (refusals.length > 0 || table === undefined) return refusals;
  const faults = new Set<string>();
  const finder = new FaultFinder(access, faults);
  if (request.kind === "AGGREGATE") {
    finder.checkAggregate(request, table);
    return [...faults];
  }
  const fields = request.fields?.map((path) => access.meaningOf(path, table));
  for (const path of fields ?? []) finder.checkShown(path, table);
  if (namesFieldAndRelation(fields ?? []) || mixesNumbers(fields ?? [])) {
    faults.add("QUERY_INVALID");
  }
  if (request.kind === "READ") return [...faults];
  if (request.where !== null) finder.checkFilter(request.where, table);
  for (const { path } of request.order) finder.checkToOne(path, table);
  for (const { steps, where, order, limit } of request.deep) {
    const target = finder.checkSteps(steps, table);
    if (target === undefined) continue;
    const isNamed = fields?.some((field) => steps.every((step, at) => field.steps[at] === step));
    if (isNamed !== true) faults.add("QUERY_INVALID");
    const isCounted = fields?.some(
      (field) => field.apply !== undefined && field.steps.join("\0") === steps.join("\0"),
    );
    if (isCounted && (limit !== null || order.length > 0)) faults.add("QUERY_INVALID");
    if (where !== null) finder.checkFilter(where, target);
    for (const { path } of order) finder.checkToOne(path, target);
  }
  return [...faults];
}

/** Whether a field is requested beside a path through the relation of the same name. */
function namesFieldAndRelation(paths: readonly Path[]): boolean {
  return paths.some(({ steps, name }) => {
    if (name === null || name === "*") return false;
    const relation = [...steps, name];
    return paths.some((other) => relation.every((step, at) => other.steps[at] === step));
  });
}

/** Whether the rows of a relation are requested beside numbers of them. */
function mixesNumbers(paths: readonly Path[]): boolean {
  return paths.some(
    ({ steps, apply }) =>
      apply !== undefined &&
      paths.some(
        (other) =>
          steps.every((step, at) => other.steps[at] === step) &&
          !(other.apply !== undefined && other.steps.length === steps.length),
      ),
  );
}

class FaultFinder {
  readonly #access: Access;
  readonly #faults: Set<string>;

  constructor(access: Access, faults: Set<string>) {
    this.#access = access;
    this.#faults = faults;
  }

  /** Returns the table at the end of a path, if every step is visible to the user. */
  checkSteps(steps: readonly string[], from: Table): Table | undefined {
    if (steps.length > relationDepthMax) this.#faults.add("QUERY_INVALID");
    let table = from;
    for (const name of steps) {
      const edge = this.#access.edge(table, name);
      if (edge === undefined) {
        this.#addUnknown(table, name);
        return undefined;
      }
      table = edge.target;
    }
    return table;
  }

  #addUnknown(table: Table, name: string): void {
    const isAmbiguous = this.#access
      .edges(table)
      .some((other) => other.base === name && other.name !== name);
    this.#faults.add(isAmbiguous ? "QUERY_INVALID" : "FIELD_UNKNOWN");
  }

  /** In `fields`, a name may also be the name of a relation. */
  checkShown({ steps, name, apply }: Path, from: Table): void {
    const table = this.checkSteps(steps, from);
    if (table !== undefined && apply !== undefined) {
      const before = this.checkSteps(steps.slice(0, -1), from);
      const edge = before === undefined ? undefined : this.#access.edge(before, steps.at(-1) ?? "");
      if (edge?.kind === "ONE") this.#faults.add("QUERY_INVALID");
      const type = name === null ? undefined : columnOf(table, name)?.type;
      const output = { apply, path: name === null ? null : { steps: [], name }, unit: null };
      if (type !== undefined && typeOfOutput(output, type) === null) {
        this.#faults.add("QUERY_INVALID");
      }
    }
    if (table === undefined || name === null || name === "*") return;
    if (!this.#access.knowsField(table, name)) this.#addUnknown(table, name);
  }

  checkPath({ steps, name }: Path, from: Table): Table | undefined {
    const table = this.checkSteps(steps, from);
    if (table === undefined || name === null || name === "*") return table;
    if (!this.#access.knowsField(table, name)) this.#faults.add("FIELD_UNKNOWN");
    return table;
  }

  /** Order, groups and aggregates require one value per row. */
  checkToOne(path: Path, from: Table): Column | undefined {
    const end = this.checkPath(path, from);
    let table: Table | undefined = from;
    for (const name of end === undefined ? [] : path.steps) {
      const edge: ReturnType<Access["edge"]> =
        table === undefined ? undefined : this.#access.edge(table, name);
      if (edge?.kind === "MANY") this.#faults.add("QUERY_INVALID");
      table = edge?.target;
    }
    return end === undefined ? undefined : columnOf(end, path.name ?? "");
  }

  checkAggregate(request: AggregateRequest, table: Table): void {
    const types = new Map<string, TypeName>();
    for (const output of request.outputs) {
      const column = output.path === null ? null : this.checkToOne(output.path, table);
      if (column === undefined) continue;
      const type = column === null ? "bigint" : typeOfOutput(output, column.type);
      if (type === null) this.#faults.add("QUERY_INVALID");
      else types.set(nameOfOutput(output), type);
    }
    if (request.where !== null) this.checkFilter(request.where, table);
    for (const { path } of request.order) {
      if (!types.has(writePath(path))) this.#faults.add("FIELD_UNKNOWN");
    }
    const check = (filter: Filter): void => {
      if ("filters" in filter) filter.filters.forEach(check);
      else if (filter.kind === "CONDITION") {
        const type = types.get(filter.path.name ?? "");
        if (type === undefined) this.#faults.add("FIELD_UNKNOWN");
        else this.#checkCondition(filter, type);
      } else check(filter.filter);
    };
    if (request.having !== null) check(request.having);
  }

  checkFilter(filter: Filter, table: Table): void {
    switch (filter.kind) {
      case "AND":
      case "OR":
        for (const inner of filter.filters) this.checkFilter(inner, table);
        return;
      case "NOT":
        this.checkFilter(filter.filter, table);
        return;
      case "QUANTIFIED":
      case "COUNTED": {
        const target = this.checkSteps(filter.steps, table);
        if (target !== undefined) this.checkFilter(filter.filter, target);
        return;
      }
      case "CONDITION": {
        const { path } = filter;
        const target = this.checkPath(path, table);
        const column = target === undefined ? undefined : columnOf(target, path.name ?? "");
        if (column !== undefined) this.#checkCondition(filter, column.type);
        for (const operand of filter.operands) {
          if (operand.kind === "FIELD") this.checkPath(operand.path, table);
        }
        return;
      }
      default:
        filter satisfies never;
    }
  }

  #checkCondition({ operator, operands, part }: Condition, its: TypeName): void {
    const type = part === undefined ? its : "int";
    const isText = textTestOf(operator) !== undefined;
    const fits = isText ? isPattern(type) : isScalar(type) || /null$/.test(operator);
    if (!fits) this.#faults.add("QUERY_INVALID");
    for (const operand of operands) {
      if (operand.kind === "VARIABLE") {
        if (!this.#access.user.columns.has(operand.name)) this.#faults.add("QUERY_INVALID");
      } else if (operand.kind === "FIELD") {
        // Only fields of types that compare are generated.
      } else if (isText) {
        // A pattern that ends with an incomplete escape.
        const isOpen = /like$/.test(operator) && /(?<!\\)(?:\\\\)*\\$/.test(operand.text);
        if (isOpen) this.#faults.add("QUERY_INVALID");
      } else if (!/null$/.test(operator) && readLiteral(type, operand.text) === undefined) {
        this.#faults.add("VALUE_INVALID");
      }
    }
  }
}
