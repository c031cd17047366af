import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import type { Page } from "playwright-core";

const { resolve } = createRequire(import.meta.url);
let source: Promise<string> | undefined;

interface AxeResult {
  readonly violations: readonly {
    readonly id: string;
    readonly help: string;
    readonly nodes: readonly { readonly html: string; readonly failureSummary?: string }[];
  }[];
}

/** Returns what axe-core finds on a page, one line for each element. */
export type Inspect = (rules?: readonly string[]) => Promise<string[]>;

/**
 * Loads axe-core into a page. The script runs in an isolated world, which the content policy of the page does not bind.
 * The function that inspects takes ids of rules; without them, it applies every rule.
 */
export async function loadAxe(page: Page): Promise<Inspect> {
  source ??= readFile(resolve("axe-core/axe.min.js"), "utf8");
  const session = await page.context().newCDPSession(page);
  const { frameTree } = await session.send("Page.getFrameTree");
  const { executionContextId: contextId } = await session.send("Page.createIsolatedWorld", {
    frameId: frameTree.frame.id,
  });
  await session.send("Runtime.evaluate", { expression: await source, contextId });
  return async (rules) => {
    const options = {
      resultTypes: ["violations"],
      ...(rules === undefined ? {} : { runOnly: rules }),
    };
    const { result, exceptionDetails } = await session.send("Runtime.evaluate", {
      expression: `axe.run(document, ${JSON.stringify(options)})`,
      contextId,
      awaitPromise: true,
      returnByValue: true,
    });
    if (exceptionDetails !== undefined) throw new Error(JSON.stringify(exceptionDetails));
    return (result.value as AxeResult).violations.flatMap(({ id, help, nodes }) =>
      nodes.map((node) => `${id} (${help}): ${node.html} ${node.failureSummary ?? ""}`),
    );
  };
}
