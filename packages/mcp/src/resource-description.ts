/** The part of a resource that a caller may know. */
export interface ResourceDescription {
  readonly schema: string;
  readonly name: string;
  readonly kind: "TABLE" | "VIEW";
  readonly label: string | null;
  readonly description: string | null;
  readonly actions: readonly ("READ" | "CREATE" | "UPDATE" | "DELETE")[];
  /** The columns of the primary key, in its order; empty unless the caller may read all of them. */
  readonly key: readonly string[];
  readonly fields: readonly FieldDescription[];
  readonly relations: readonly RelationDescription[];
}

export interface FieldDescription {
  readonly name: string;
  /** The type as PostgreSQL names it. */
  readonly type: string;
  readonly nullable: boolean;
  readonly readable: boolean;
  readonly creatable: boolean;
  readonly updatable: boolean;
  /** Whether a new row must have a value for it. */
  readonly required: boolean;
  /** The values of an enum. */
  readonly values: readonly string[] | null;
  readonly description: string | null;
}

/** One action of a caller on a resource. */
export interface ActionAccess {
  readonly action: "READ" | "CREATE" | "UPDATE" | "DELETE";
  /** Whether a role of the owner grants it, and the resource exposes it. */
  readonly isAllowed: boolean;
  /** Whether it applies to every row; otherwise to those that a filter admits. */
  readonly everyRow: boolean;
  /** Empty for DELETE. */
  readonly fields: readonly { readonly name: string; readonly everyRow: boolean }[];
}

export interface RelationDescription {
  readonly name: string;
  readonly kind: "ONE" | "MANY";
  readonly schema: string;
  readonly target: string;
}
