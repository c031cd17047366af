import type { Browser, BrowserContextOptions, Page } from "playwright-core";

/** A page whose faults fail its test. */
export interface WatchedPage {
  readonly page: Page;
  /** Another tab of the same person, watched too. */
  openTab(): Promise<Page>;
  /** What must not happen on any page so far: policy violations, console errors, foreign requests. */
  readonly faults: readonly string[];
  close(): Promise<void>;
}

interface PageOptions extends BrowserContextOptions {
  /** Origins besides the service's own, such as a provider to which the journey leads. */
  readonly alsoOrigins?: readonly string[];
}

/**
 * Opens a page with its own storage.
 *
 * @param origin of the service
 */
export async function openPage(
  browser: Browser,
  origin: string,
  { alsoOrigins = [], ...options }: PageOptions = {},
): Promise<WatchedPage> {
  const faults: string[] = [];
  const context = await browser.newContext({
    baseURL: origin,
    locale: "en-GB",
    timezoneId: "Europe/Oslo",
    reducedMotion: "reduce",
    ...options,
  });
  const origins = new Set([origin, ...alsoOrigins]);
  const watch = (page: Page) => {
    page.on("console", (message) => {
      // A provider's own page is not ours to judge.
      if (message.type() !== "error" || !page.url().startsWith(origin)) return;
      if (isExpected(message.text(), message.location().url)) return;
      faults.push(`console: ${message.text()}`);
    });
    page.on("pageerror", (error) => faults.push(`error: ${error.message}`));
    page.on("request", (request) => {
      const { origin: target, protocol } = new URL(request.url());
      const isOwn = request.isNavigationRequest() || page.url().startsWith(origin);
      if (isOwn && !origins.has(target) && protocol !== "data:" && protocol !== "blob:") {
        faults.push(`request to ${request.url()}`);
      }
    });
  };
  context.on("page", watch);
  // The message of a violation differs between directives, so the event is read too.
  await context.addInitScript(() => {
    addEventListener("securitypolicyviolation", (event) => {
      console.error(`policy: ${event.violatedDirective} ${event.blockedURI} ${event.sample}`);
    });
    addEventListener("unhandledrejection", (event) => console.error(`rejection: ${event.reason}`));
  });
  return {
    page: await context.newPage(),
    openTab: () => context.newPage(),
    faults,
    close: () => context.close(),
  };
}

/** Chromium reports each response of 400 or more as an error; those of the APIs are part of the journeys. */
function isExpected(text: string, url: string): boolean {
  return text.startsWith("Failed to load resource") && /\/(?:app\/|admin\/)?api\//.test(url);
}
