import { type GrantPath, isPossibleValue, resolveGrantPath } from "@rowhouse/access";
import { type Catalogue, type Relation, referenceOf } from "@rowhouse/db";
import { createFault, type Fault } from "@rowhouse/errors";
import type { FormField, Presentation } from "./presentation.ts";

/** The relation that a presentation belongs to, and the catalogue that its paths are read with. */
export interface PresentedRelation {
  readonly relation: Relation;
  readonly catalogue: Catalogue;
}

const moments = ["date", "timestamp without time zone", "timestamp with time zone"];
const imageTypes = ["uuid", "text", "character varying"];

/**
 * Returns the faults of a presentation before it is stored: names without a column, and columns of another type than the
 * layout needs. The summaries of a table are not checked here.
 *
 * @param pointer to the presentation in the body: `/data/presentation`
 */
export function faultsOfPresentation(
  presentation: Presentation,
  presented: PresentedRelation,
  pointer: string,
): Fault[] {
  const check = new PresentationCheck(presented, pointer);
  switch (presentation.layout) {
    case "table":
      for (const [index, { field }] of presentation.columns.entries()) {
        check.field(field, `/columns/${index}/field`);
      }
      check.distinct(presentation.columns, (index) => `/columns/${index}/field`);
      break;
    case "cards":
      check.single(presentation.title, "/title");
      check.single(presentation.subtitle, "/subtitle");
      check.single(presentation.image, "/image", imageTypes);
      check.singles(presentation.badges, "/badges");
      break;
    case "kanban":
      check.group(presentation.group, "/group");
      check.single(presentation.title, "/title");
      check.singles(presentation.fields, "/fields");
      check.order(presentation.order, "/order");
      check.single(presentation.color, "/color");
      break;
    case "calendar":
      check.moments(presentation.start, presentation.end);
      check.single(presentation.title, "/title");
      check.single(presentation.color, "/color");
      break;
    case "form": {
      check.writable("/layout");
      const fields = presentation.sections.flatMap(({ fields: items }, section) =>
        items.map((item, index) => ({ ...item, at: `/sections/${section}/fields/${index}` })),
      );
      for (const item of fields) check.input(item, item.at);
      check.distinct(fields, (index) => `${fields[index]?.at}/field`);
      break;
    }
    default:
      presentation satisfies never;
  }
  return check.faults;
}

class PresentationCheck {
  readonly faults: Fault[] = [];
  readonly #presented: PresentedRelation;
  readonly #pointer: string;

  constructor(presented: PresentedRelation, pointer: string) {
    this.#presented = presented;
    this.#pointer = pointer;
  }

  /** Any field, also of a list of related rows. */
  field(path: string, at: string): GrantPath | undefined {
    const { catalogue, relation } = this.#presented;
    const found = resolveGrantPath(catalogue, relation, path);
    if (found === undefined) {
      this.faults.push(createFault("FIELD_UNKNOWN", { path: `${this.#pointer}${at}` }));
    }
    return found;
  }

  /** A field with one value in a row. */
  single(path: string | undefined, at: string, types?: readonly string[]): GrantPath | undefined {
    const found = path === undefined ? undefined : this.field(path, at);
    if (found === undefined) return undefined;
    if (found.edges.some(({ kind }) => kind === "MANY")) {
      this.#refuse(at, "Must not cross a to-many relation");
      return undefined;
    }
    const { type } = found.column;
    if (types !== undefined && (type.array || !types.includes(type.base))) {
      this.#refuse(at, `Must have the type ${types.join(" or ")}`);
      return undefined;
    }
    return found;
  }

  singles(paths: readonly string[] | undefined, at: string): void {
    for (const [index, path] of (paths ?? []).entries()) this.single(path, `${at}/${index}`);
  }

  /** A column of the relation itself, which a change of a row can set. */
  own(path: string | undefined, at: string, types?: readonly string[]): GrantPath | undefined {
    const found = this.single(path, at, types);
    if (found === undefined || found.edges.length === 0) return found;
    this.#refuse(at, "Must be a column of the resource itself");
    return undefined;
  }

  group(path: string, at: string): void {
    const found = this.own(path, at);
    if (found === undefined) return;
    const { name, type } = found.column;
    const { catalogue, relation } = this.#presented;
    const isReference = referenceOf(catalogue.edgesOf(relation), name) !== undefined;
    const isSmall = !type.array && (type.labels !== null || type.base === "boolean");
    if (isReference || isSmall) return;
    this.#refuse(at, "Must be an enum, a boolean, or the only column of a foreign key");
  }

  order(path: string | undefined, at: string): void {
    const found = this.own(path, at);
    if (found === undefined || found.column.type.ordered) return;
    this.#refuse(at, "Rows cannot be ordered by this field");
  }

  moments(start: string, end: string | undefined): void {
    const first = this.own(start, "/start", moments);
    const last = this.own(end, "/end", moments);
    if (first === undefined || last === undefined) return;
    if (first.column.type.base !== last.column.type.base) {
      this.#refuse("/end", "Must have the type of start");
    }
  }

  writable(at: string): void {
    if (this.#presented.relation.resource.kind === "VIEW") {
      this.#refuse(at, "A view has no form: its rows cannot be changed");
    }
  }

  input(item: FormField, at: string): void {
    const found = this.own(item.field, `${at}/field`);
    if (found === undefined) return;
    const { type, generated, identity } = found.column;
    if (generated || identity === "ALWAYS")
      this.#refuse(`${at}/field`, "This column cannot be set");
    const value = item.default;
    if (value === undefined || value === null || isPossibleValue(type, String(value))) return;
    this.faults.push(createFault("VALUE_INVALID", { path: `${this.#pointer}${at}/default` }));
  }

  distinct(items: readonly { readonly field: string }[], at: (index: number) => string): void {
    const known = new Set<string>();
    for (const [index, { field }] of items.entries()) {
      if (known.has(field)) this.#refuse(at(index), "Another item names this field");
      known.add(field);
    }
  }

  #refuse(at: string, message: string): void {
    this.faults.push(createFault("BODY_INVALID", { path: `${this.#pointer}${at}`, message }));
  }
}
