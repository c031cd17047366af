import { type Access, relationDepthMax } from "./evaluate-access.ts";
import { textTestOf } from "./evaluate-filter.ts";
import type { Grouping } from "./evaluate-groups.ts";
import type {
  Action,
  AggregateRequest,
  Column,
  Condition,
  Deep,
  Expression,
  Filter,
  ListRequest,
  Method,
  Path,
  ReadRequest,
  Table,
  TypeName,
} from "./model.ts";
import { isNumeric, nameOfOutput, outputOf, typeOfOutput } from "./outputs.ts";
import { rankedSearch } from "./ranked-search.ts";
import { columnOf, placeOf, writePath } from "./relations.ts";
import { isPattern, isRange, readLiteral } from "./values.ts";

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
  if (fields !== undefined && hasTwoMeanings(fields, table, access)) faults.add("QUERY_INVALID");
  if (request.kind === "LIST") {
    if (request.where !== null) finder.checkFilter(request.where, table);
    for (const { path } of request.order) finder.checkOrdered(path, table, request.where);
  }
  for (const its of request.deep) finder.checkDeep(its, table, fields ?? []);
  return [...faults];
}

/** Whether a member of the response would have two meanings, or a relation both rows and numbers. */
function hasTwoMeanings(paths: readonly Path[], from: Table, access: Access): boolean {
  const members = new Map<string, Set<string>>();
  const add = (place: readonly string[], member: string, meaning: string): void => {
    const key = JSON.stringify([...place, member]);
    members.set(key, (members.get(key) ?? new Set()).add(meaning));
  };
  const kinds = new Map<string, Set<string>>();
  for (const path of paths) {
    const { steps, name, inside, apply, aliases } = path;
    const place = placeOf(path);
    let table: Table | undefined = from;
    for (const [at, step] of steps.entries()) {
      const isAlias = place[at] !== step;
      add(place.slice(0, at), place[at] ?? step, `${isAlias ? "alias " : ""}relation ${step}`);
      const key = JSON.stringify(place.slice(0, at));
      kinds.set(key, (kinds.get(key) ?? new Set()).add("ROWS"));
      table = table === undefined ? undefined : access.edge(table, step)?.target;
    }
    const key = JSON.stringify(place);
    const kind = apply === undefined ? "ROWS" : "NUMBERS";
    kinds.set(key, (kinds.get(key) ?? new Set()).add(kind));
    if (apply !== undefined) add(place, nameOfOutput(outputOf(path)), `number ${apply} ${name}`);
    else if (name === null || name === "*") {
      for (const column of table === undefined ? [] : access.knownFields(table)) {
        add(place, column, `all ${column}`);
      }
    } else if (inside !== undefined) {
      add(place, name, `part ${name}`);
      for (const [at, key] of inside.entries()) {
        const isEnd = at === inside.length - 1;
        add([...place, name, ...inside.slice(0, at)], key, isEnd ? "value" : "parts");
      }
    } else add(place, aliases?.name ?? name, `field ${name}`);
  }
  // The same field by its name and by `*` is one member; a related row takes the place of a field of `*`.
  const isOne = (meanings: ReadonlySet<string>): boolean => {
    const all = [...meanings].filter((its) => its.startsWith("all "));
    const others = [...meanings].filter((its) => !its.startsWith("all "));
    if (others.length > 1) return false;
    const [other] = others;
    if (other === undefined || all.length === 0) return true;
    return /^(?:relation|part) /.test(other) || other === all[0]?.replace("all ", "field ");
  };
  return (
    [...members.values()].some((meanings) => !isOne(meanings)) ||
    [...kinds.values()].some((its) => its.size > 1)
  );
}

/** Returns the codes that may reject a filter. */
export function filterFaults(filter: Filter, table: Table, access: Access): string[] {
  const faults = new Set<string>();
  new FaultFinder(access, faults).checkFilter(filter, table);
  return [...faults];
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
  checkShown(path: Path, from: Table): void {
    const { steps, name, apply } = path;
    const table = this.checkSteps(steps, from);
    if (table !== undefined && apply !== undefined) {
      const before = this.checkSteps(steps.slice(0, -1), from);
      const edge = before === undefined ? undefined : this.#access.edge(before, steps.at(-1) ?? "");
      if (edge?.kind === "ONE") this.#faults.add("QUERY_INVALID");
      const output = outputOf(path);
      const type = name === null ? undefined : columnOf(table, name)?.type;
      if (output.expression !== undefined)
        this.#checkExpression(output.expression, table, steps.length);
      else if (type !== undefined && typeOfOutput(output, type) === null) {
        this.#faults.add("QUERY_INVALID");
      }
    }
    if (table === undefined || name === null || name === "*") return;
    if (this.#access.knowsField(table, name)) return;
    // The argument of a function is a field, unless a path follows.
    if (apply !== undefined && path.inside === undefined) this.#faults.add("FIELD_UNKNOWN");
    else this.#addUnknown(table, name);
  }

  checkPath({ steps, name, inside }: Path, from: Table): Table | undefined {
    const table = this.checkSteps(steps, from);
    if (table === undefined || name === null || name === "*") return table;
    if (this.#access.knowsField(table, name)) return table;
    // The first name of a longer path may be that of a relation.
    if (inside === undefined) this.#faults.add("FIELD_UNKNOWN");
    else this.#addUnknown(table, name);
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

  /** An order may also be by a number of related rows. */
  checkOrdered(path: Path, from: Table, where: Filter | null = null): void {
    const { steps, name, apply } = path;
    if (name === "_rank") {
      if (rankedSearch(where, from, this.#access) === undefined) this.#faults.add("QUERY_INVALID");
      return;
    }
    if (apply === undefined) {
      this.checkToOne(path, from);
      return;
    }
    this.checkShown(path, from);
    let table: Table | undefined = from;
    for (const step of steps.slice(0, -1)) {
      const edge: ReturnType<Access["edge"]> = table && this.#access.edge(table, step);
      if (edge?.kind === "MANY") this.#faults.add("QUERY_INVALID");
      table = edge?.target;
    }
  }

  /**
   * Each field of an expression has one number per row.
   *
   * @param depth the number of relations that lead to the row
   */
  #checkExpression(expression: Expression, table: Table, depth = 0): void {
    if (expression.kind === "FIELD") {
      const { path } = expression;
      if (depth + path.steps.length > relationDepthMax) this.#faults.add("QUERY_INVALID");
      const column = this.checkToOne(path, table);
      const isNumber = path.inside !== undefined || isNumeric(column?.type ?? "int");
      if (!isNumber) this.#faults.add("QUERY_INVALID");
    } else if (expression.kind === "OPERATION") {
      this.#checkExpression(expression.left, table, depth);
      this.#checkExpression(expression.right, table, depth);
    }
  }

  checkDeep(
    { steps, place, where, order, limit, offset, isPaged, groups, having }: Deep,
    from: Table,
    fields: readonly Path[],
  ): void {
    const target = this.checkSteps(steps, from);
    if (target === undefined) return;
    const here = fields.filter((field) =>
      place.every((member, at) => placeOf(field)[at] === member),
    );
    if (here.length === 0) this.#faults.add("QUERY_INVALID");
    if (where !== null) this.checkFilter(where, target);
    const numbers = here.filter(
      (field) => field.apply !== undefined && field.steps.length === place.length,
    );
    if (numbers.length === 0) {
      if (groups.length > 0 || having !== null) this.#faults.add("QUERY_INVALID");
      for (const { path } of order) this.checkOrdered(path, target);
      return;
    }
    const hasPage = limit !== null || (offset ?? 0) > 0 || order.length > 0 || having !== null;
    if (isPaged || (groups.length === 0 && hasPage)) this.#faults.add("QUERY_INVALID");
    if (groups.length === 0) return;
    const outputs = [...groups, ...numbers.map(outputOf)];
    const names = outputs.map(nameOfOutput);
    if (new Set(names).size < names.length) this.#faults.add("QUERY_INVALID");
    this.#checkResults({ outputs, having, order }, target);
  }

  checkAggregate(request: AggregateRequest, table: Table): void {
    if (request.where !== null) this.checkFilter(request.where, table);
    this.#checkResults(request, table);
  }

  #checkResults(request: Grouping, table: Table): void {
    const types = new Map<string, TypeName>();
    for (const output of request.outputs) {
      if (output.expression !== undefined) this.#checkExpression(output.expression, table);
      const column = output.path === null ? null : this.checkToOne(output.path, table);
      if (column === undefined) continue;
      const type = typeOfOutput(output, column?.type ?? "bigint");
      if (type === null) this.#faults.add("QUERY_INVALID");
      else types.set(nameOfOutput(output), type);
    }
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

  #checkCondition({ operator, operands, part, bound, keys }: Condition, its: TypeName): void {
    const type = part !== undefined || bound !== undefined ? "int" : its;
    const isText = textTestOf(operator) !== undefined;
    const isNull = /null$/.test(operator);
    const ofType = (test: RegExp): boolean => test.test(operator);
    if (keys !== undefined) {
      if (its !== "jsonb") this.#faults.add("QUERY_INVALID");
      return;
    }
    const fits = isText
      ? isPattern(type)
      : ofType(/^_has_key$|^_json/)
        ? type === "jsonb"
        : ofType(/^_has/)
          ? type === "text[]"
          : ofType(/^_(?:contain|overlaps|adjacent)/)
            ? isRange(type)
            : !ofType(/^_search/) || isPattern(type);
    if (!fits) this.#faults.add("QUERY_INVALID");
    if (bound !== undefined && !isRange(its)) this.#faults.add("QUERY_INVALID");
    for (const operand of operands) {
      if (operand.kind === "VARIABLE") {
        if (!this.#access.user.columns.has(operand.name)) this.#faults.add("QUERY_INVALID");
      } else if (operand.kind === "FIELD") {
        // Only fields of types that compare are generated.
      } else if (isText) {
        // A pattern that ends with an incomplete escape.
        const isOpen = /like$/.test(operator) && /(?<!\\)(?:\\\\)*\\$/.test(operand.text);
        if (isOpen) this.#faults.add("QUERY_INVALID");
      } else if (!isNull && readLiteral(type, operand.text) === undefined) {
        this.#faults.add("VALUE_INVALID");
      }
    }
  }
}
