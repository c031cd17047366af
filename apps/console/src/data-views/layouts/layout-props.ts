import type { NavigationResource } from "../../shell/navigation.ts";
import type { ViewAnswer, ViewQuery, ViewSource } from "../model/open-view.ts";
import type { ViewState } from "../model/view-state.ts";

/** What every layout shows, and what it calls. */
export interface LayoutProps {
  readonly answer: ViewAnswer;
  readonly source: ViewSource;
  /** The query of the answer. */
  readonly query: ViewQuery;
  readonly resource: NavigationResource;
  readonly resources: readonly NavigationResource[];
  readonly state: ViewState;
  /** Changes the address. Only another place is a step of the browser's history. */
  readonly onState: (change: Partial<ViewState>, isStep?: boolean) => void;
  readonly onOpen: (paths: readonly string[], isStep: boolean) => void;
}
