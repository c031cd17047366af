import type { Locator, Page } from "playwright-core";

/** A screen in a state that the tests inspect and that the pictures show. */
export interface Screen {
  readonly name: string;
  /** Brings a page, which is at the service's address and signed out, to the screen. */
  show(page: Page): Promise<void>;
  /** Whether another width of the window has other controls, so that the screen is shown again. */
  readonly isOneWidth?: boolean;
}

/** The button of a page that adds something. It may appear later than the buttons of the list below it. */
export function newOne(page: Page): Locator {
  return page.locator("main button[class*=bg-accent]").first();
}

/** The pictures of the documents, each of a screen at 1440 pixels. */
export const documentPictures: readonly {
  /** Its file in `docs/pictures`, without the ending. */
  readonly file: string;
  readonly screen: string;
  readonly scheme: "light" | "dark";
  /** What is photographed in place of the window: the sample has dashboards with hostile names beside it. */
  readonly part?: string;
}[] = [
  { file: "rows-light", screen: "rows-filtered", scheme: "light" },
  { file: "record-dark", screen: "rows-record", scheme: "dark" },
  { file: "dashboard-light", screen: "dashboard", scheme: "light", part: "main" },
  { file: "workflow-light", screen: "workflow-graph-sound", scheme: "light" },
];
