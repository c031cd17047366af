import { expect, it } from "vitest";
import { variableNames } from "../../../apps/standalone/src/config.ts";
import { type App, apps, readDocuments, readText, readYaml, variablesOf } from "./files.ts";

// The deployment files set each variable of an app, or this list gives the reason why not.

const setting = "overrides a setting, which an administrator changes without a restart";
const named = "each app has its own default name";
const written = "only for mails without SMTP_URL, and the files set a mail server";
const bucketed = "the pods share no folder, so files are in a bucket";
const waited = "the default of a minute is enough for a start of all processes";
const browserless =
  "the image has no browser: without one, a step that makes a PDF fails with the reason";
const counted =
  "the process on the internet has no access to Redis, and each gateway counts its own requests; for a shared count set the URL and a network policy";

const reasons: Readonly<Record<string, string>> = {
  CHROMIUM_PATH: browserless,
  CHROMIUM_SANDBOX: browserless,
  CORS_ORIGINS: setting,
  BODY_BYTES_MAX: setting,
  OTEL_SERVICE_NAME: named,
  ROWHOUSE_DATA_DIR: written,
  DATABASE_WAIT_MS: waited,
  "gateway REDIS_URL": counted,
};
const reasonsOf = {
  compose: {
    ...reasons,
    "gateway ROWHOUSE_SECRET": "ROWHOUSE_EDGE_SECRETS has this role, or a better one",
  },
  // The overlay sets TRUSTED_PROXIES in a patch: its value belongs to the cluster.
  kubernetes: {
    ...reasons,
    FILES_DIR: bucketed,
    TRUSTED_PROXIES: "infra/kubernetes/overlays/example/trusted-proxies.yaml",
  },
} as const;

const namesInCompose = (app: App): string[] => {
  const { services } = readYaml<{ services: Record<string, { environment: object }> }>(
    "compose.yaml",
  );
  return Object.keys(services[app]?.environment ?? {});
};
const namesInKubernetes = (app: App): string[] => {
  interface Pod {
    readonly kind: string;
    readonly spec?: {
      readonly template?: {
        readonly spec: { readonly containers: { readonly env: { readonly name: string }[] }[] };
      };
    };
  }
  const base = readYaml<{ data: object }>("kubernetes/base/config.yaml");
  const overlay = readYaml<{ data: object }>("kubernetes/overlays/example/settings.yaml");
  const pod = readDocuments<Pod>(`kubernetes/base/${app}.yaml`).find(
    ({ kind }) => kind === "Deployment",
  );
  const own = pod?.spec?.template?.spec.containers[0]?.env ?? [];
  return [...Object.keys({ ...base.data, ...overlay.data }), ...own.map(({ name }) => name)];
};

it.each([
  ["compose", namesInCompose],
  ["kubernetes", namesInKubernetes],
] as const)(
  "%s gives each app every variable that it reads, or states why not",
  (where, namesIn) => {
    const reasonsHere: Readonly<Record<string, string>> = reasonsOf[where];
    const used = new Set<string>();
    for (const app of apps) {
      const given = namesIn(app);
      const missing = variablesOf(app).filter((name) => {
        if (given.includes(name)) return false;
        const reason = [`${app} ${name}`, name].find((key) => key in reasonsHere);
        if (reason !== undefined) used.add(reason);
        return reason === undefined;
      });
      expect([app, missing]).toEqual([app, []]);
    }
    // Reasons for variables that are set, or do not exist, must be removed.
    expect(Object.keys(reasonsHere).filter((key) => !used.has(key))).toEqual([]);
  },
);

/** Returns the variables in the tables of a section of docs/configuration.md. */
function documented(title: string): string[] {
  const text = readText("../docs/configuration.md");
  const from = text.indexOf(`### ${title}`);
  expect([title, from >= 0]).toEqual([title, true]);
  const [section = ""] = text.slice(from + 4).split(/^##/m);
  const cells = [...section.matchAll(/^\| (`[A-Z].*?) \|/gm)].map(([, cell = ""]) => cell);
  return cells.flatMap((cell) =>
    [...cell.matchAll(/`([A-Z][A-Z0-9_]+)`/g)].map(([, name = ""]) => name),
  );
}

it("the documentation lists every variable of every app, and no others", () => {
  const adminOnly = ["ROWHOUSE_ADMIN_EMAIL", "ROWHOUSE_ADMIN_PASSWORD"];
  const dataOnly = variablesOf("data-api").filter((name) => /^(?:FILES|S3)_/.test(name));
  expect(documented("One process").sort()).toEqual([...variableNames].sort());
  expect(documented("Gateway").sort()).toEqual([...variablesOf("gateway")].sort());
  expect(documented("Data API, Admin API").sort()).toEqual(
    [...variablesOf("admin-api"), ...dataOnly].sort(),
  );
  expect([...variablesOf("data-api"), ...adminOnly].sort()).toEqual(
    [...variablesOf("admin-api"), ...dataOnly].sort(),
  );
  expect(documented("Worker").sort()).toEqual([...variablesOf("workflow-worker")].sort());
});
