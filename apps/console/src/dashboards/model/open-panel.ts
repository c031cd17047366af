import type { OpenPanel as OpenPanelOfClient } from "@rowhouse/client";
import type { Received } from "../../shell/client.ts";

type Answer = Received<OpenPanelOfClient>;

type MemberOf<Union, Key> = Union extends { readonly [Name in Key & string]?: infer Value }
  ? Value
  : never;
type KeyOf<Union> = Union extends unknown ? keyof Union : never;

/** A panel with its content, as a person may see it. The presentation of each kind has some of the parts. */
export type OpenPanel = Omit<Answer, "presentation"> & {
  readonly presentation: {
    readonly [Key in KeyOf<Answer["presentation"]>]?: MemberOf<Answer["presentation"], Key>;
  };
};

/** The values of the groups of a mark, by the names of the groups. */
export type Mark = NonNullable<OpenPanel["rows"]>[number];

type Terms = NonNullable<OpenPanel["terms"]>;

/** What the values of a panel are grouped by. */
export type GroupTerm = Terms["groups"][number];

/** A unit by which times are cut into buckets. */
export type TimeUnit = NonNullable<GroupTerm["unit"]>;

/** What a panel computes of each group. */
export type AggregateTerm = Terms["aggregates"][number];

/** A field with its presentation. */
export type PanelField = NonNullable<OpenPanel["fields"]>[number];

export type ChartKind = NonNullable<OpenPanel["presentation"]["chart"]>;

/** Where a panel lies on the board of twelve columns. */
export type PanelLayout = OpenPanel["layout"];
