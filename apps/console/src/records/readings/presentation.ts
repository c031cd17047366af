import type { OpenDataView } from "@rowhouse/client";
import type { Received } from "../../shell/client.ts";

/** How the rows of a DataView are shown. Fields are paths from its resource. */
export type Presentation = Received<OpenDataView["presentation"]>;

export type PresentationOf<Layout extends Presentation["layout"]> = Extract<
  Presentation,
  { readonly layout: Layout }
>;

/** What a table says of a whole column. */
export type Summary = NonNullable<PresentationOf<"table">["columns"][number]["summary"]>;
