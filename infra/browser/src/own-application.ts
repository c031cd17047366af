import { once } from "node:events";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import type { AddressInfo } from "node:net";
import { fileURLToPath, pathToFileURL } from "node:url";

const root = new URL("../../../", import.meta.url);
const pathOf = (path: string) => fileURLToPath(new URL(path, root));

/** The packages that an application imports, by the names in its code. */
const applicationPackages = {
  "@rowhouse/client": pathOf("packages/client/src/index.ts"),
  "react-dom": pathOf("apps/console/node_modules/react-dom"),
  react: pathOf("apps/console/node_modules/react"),
};

/**
 * Builds an application with the libraries of the console.
 *
 * @param folder the folder of `app.tsx`
 * @param url the service, as `import.meta.env.VITE_ROWHOUSE_URL`
 */
export async function buildApplication(folder: string, url: string): Promise<string> {
  const libraries = createRequire(new URL("apps/console/package.json", root));
  const { build } = await import(pathToFileURL(libraries.resolve("vite")).href);
  const built = await build({
    ...{ root: folder, configFile: false, logLevel: "warn" },
    // The environment of tests is none of production.
    oxc: { jsx: { runtime: "automatic", development: false } },
    define: {
      "import.meta.env.VITE_ROWHOUSE_URL": JSON.stringify(url),
      "process.env.NODE_ENV": '"production"',
    },
    resolve: { alias: applicationPackages },
    build: { write: false, lib: { entry: "app.tsx", formats: ["es"] }, minify: false },
  });
  return built[0].output[0].code;
}

export interface ServedApplication {
  /** Its origin, on another host than the service. */
  readonly origin: string;
  stop(): void;
}

/** Serves the code of an application at every path. */
export async function serveApplication(code: () => string): Promise<ServedApplication> {
  const server = createServer((request, response) => {
    const isCode = request.url === "/app.js";
    response.setHeader("Content-Type", isCode ? "text/javascript" : "text/html");
    response.end(
      isCode
        ? code()
        : '<!doctype html><title>App</title><body><script type="module" src="/app.js"></script>',
    );
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const origin = `http://localhost:${(server.address() as AddressInfo).port}`;
  return { origin, stop: () => server.close() };
}
