import { expect, it } from "vitest";
import { variableNames } from "../../../apps/standalone/src/config.ts";
import { type App, apps, readDocuments, readText, readYaml, variablesOf } from "./files.ts";

// Each variable of an app is in the files that start it, or here with the reason why not.

const setting =
  "stands in the place of a setting, which an administrator changes without a restart";
const named = "each app has a name of its own";
const written = "for mails without SMTP_URL, and the files name a mail server";
const waited = "a minute is what a start of everything together takes";
const counted =
  "the process on the internet stays away from Redis; each gateway counts for itself, and whoever wants one count gives it the URL and a network policy";

const reasons: Readonly<Record<string, string>> = {
  CORS_ORIGINS: setting,
  BODY_BYTES_MAX: setting,
  OTEL_SERVICE_NAME: named,
  ROWHOUSE_DATA_DIR: written,
  DATABASE_WAIT_MS: waited,
  "gateway REDIS_URL": counted,
};
const reasonsOf = {
  compose: { ...reasons, "gateway ROWHOUSE_SECRET": "ROWHOUSE_EDGE_SECRETS is that one or better" },
  // The overlay gives TRUSTED_PROXIES, as a patch: its value belongs to the cluster.
  kubernetes: {
    ...reasons,
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
] as const)("%s gives each app every variable that it reads, or says why not", (where, namesIn) => {
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
  // A reason for what is given after all, or is no variable any more, goes.
  expect(Object.keys(reasonsHere).filter((key) => !used.has(key))).toEqual([]);
});

/** The variables in the tables of a section of docs/configuration.md. */
function documented(title: string): string[] {
  const text = readText("../docs/configuration.md");
  const from = text.indexOf(`### ${title}`);
  expect([title, from >= 0]).toEqual([title, true]);
  const [section = ""] = text.slice(from + 4).split(/^##/m);
  const cells = [...section.matchAll(/^\| (`[A-Z].*?) \|/gm)].map(([, cell = ""]) => cell);
  return cells.flatMap((cell) => [...cell.matchAll(/`([A-Z_]+)`/g)].map(([, name = ""]) => name));
}

it("every variable of every app is documented, and none besides", () => {
  const adminOnly = ["ROWHOUSE_ADMIN_EMAIL", "ROWHOUSE_ADMIN_PASSWORD", "SQL_CONSOLE_URL"];
  expect(documented("One process").sort()).toEqual([...variableNames].sort());
  expect(documented("Gateway").sort()).toEqual([...variablesOf("gateway")].sort());
  expect(documented("Data API, Admin API").sort()).toEqual([...variablesOf("admin-api")].sort());
  expect([...variablesOf("data-api"), ...adminOnly].sort()).toEqual(
    [...variablesOf("admin-api")].sort(),
  );
  expect(documented("Worker").sort()).toEqual([...variablesOf("workflow-worker")].sort());
});
