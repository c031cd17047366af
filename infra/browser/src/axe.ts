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

/**
 * Returns what axe-core finds on a page, one line for each element. The script runs in an isolated world, which the
 * content policy of the page does not bind.
 *
 * @param rules ids of rules; without them, every rule
 */
export async function accessibilityFaults(
  page: Page,
  rules?: readonly string[],
): Promise<string[]> {
  source ??= readFile(resolve("axe-core/axe.min.js"), "utf8");
  const session = await page.context().newCDPSession(page);
  const { frameTree } = await session.send("Page.getFrameTree");
  const { executionContextId: contextId } = await session.send("Page.createIsolatedWorld", {
    frameId: frameTree.frame.id,
  });
  await session.send("Runtime.evaluate", { expression: await source, contextId });
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
  await session.detach();
  return (result.value as AxeResult).violations.flatMap(({ id, help, nodes }) =>
    nodes.map((node) => `${id} (${help}): ${node.html} ${node.failureSummary ?? ""}`),
  );
}
