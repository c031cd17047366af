import type { McpIdentity } from "./access.ts";
import type { PortCall, ResourceName } from "./port-call.ts";
import type { ActionAccess, ResourceDescription } from "./resource-description.ts";
import type { RowWriter, SqlRunner, WorkflowRunner } from "./write-ports.ts";

export type { PortCall, ResourceName };

/** What the tools need from other packages. The app that composes them implements it. */
export interface McpPorts {
  readonly rows: RowReader;
  readonly resources: ResourceReader;
  readonly writes: RowWriter;
  readonly workflows: WorkflowRunner;
  readonly sql: SqlRunner;
}

/** A list. Each term has the syntax of a query of the Data API; the filter is JSON with exact numbers. */
export interface ListTerms {
  readonly fields?: readonly string[] | undefined;
  readonly where?: unknown;
  readonly search?: string | undefined;
  readonly orderBy?: readonly string[] | undefined;
  readonly limit?: number | undefined;
  readonly cursor?: string | undefined;
  readonly count?: boolean | undefined;
}

/** An aggregation; the terms are those of the Data API. */
export interface AggregateTerms {
  readonly aggregate: readonly string[];
  readonly groupBy?: readonly string[] | undefined;
  readonly where?: unknown;
  readonly search?: string | undefined;
  readonly having?: unknown;
  readonly orderBy?: readonly string[] | undefined;
  readonly limit?: number | undefined;
}

/** Rows as PostgreSQL wrote them. */
export interface RowsAnswer {
  /** A JSON array; its numbers have all their digits. */
  readonly data: string;
  /** The number of rows, if it is known without counting them. */
  readonly rows?: number | undefined;
  /** The cursor of the next page; absent after the last row. */
  readonly nextCursor?: string | undefined;
  readonly count?: number | undefined;
  /** The to-many relations that have more rows than the answer. */
  readonly more?: readonly string[] | undefined;
}

/**
 * Reads rows by one statement that proves the rights of the caller. Errors are those of the Data API, with JSON
 * pointers into the arguments of the tool as paths.
 */
export interface RowReader {
  list(resource: ResourceName, terms: ListTerms, call: PortCall): Promise<RowsAnswer>;
  /** @throws AppError NOT_FOUND */
  one(
    resource: ResourceName,
    key: readonly string[],
    fields: readonly string[] | undefined,
    call: PortCall,
  ): Promise<RowsAnswer>;
  aggregate(resource: ResourceName, terms: AggregateTerms, call: PortCall): Promise<RowsAnswer>;
}

/** Describes the resources that an identity may know, ordered by schema and name. */
export interface ResourceReader {
  /** @param identity with proven rights */
  visible(identity: Pick<McpIdentity, "roleIds">): Promise<readonly ResourceDescription[]>;
  /**
   * Returns the actions on a resource; undefined if the identity may not know it.
   *
   * @param identity with proven rights
   */
  access(
    resource: ResourceName,
    identity: Pick<McpIdentity, "roleIds">,
  ): Promise<readonly ActionAccess[] | undefined>;
}
