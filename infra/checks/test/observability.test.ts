// Tier: long. Starts processes.
import { parser } from "@prometheus-io/lezer-promql";
import {
  type AppProcess,
  createTestDatabase,
  findFreePort,
  startApp,
  type TestDatabase,
} from "@rowhouse/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { apps, readText, readYaml } from "./files.ts";

interface Rules {
  readonly groups: readonly {
    readonly rules: readonly {
      readonly alert: string;
      readonly expr: string;
      readonly labels: { readonly severity: string };
      readonly annotations: { readonly summary: string; readonly description: string };
    }[];
  }[];
}
interface Dashboard {
  readonly panels: readonly {
    readonly id: number;
    readonly title: string;
    readonly targets?: readonly { readonly expr: string }[];
  }[];
}

const rules = readYaml<Rules>("grafana/alerts.yaml").groups.flatMap((group) => group.rules);
const { panels } = JSON.parse(readText("grafana/dashboard.json")) as Dashboard;
const expressions = [
  ...rules.map((rule) => rule.expr),
  ...panels.flatMap((panel) => panel.targets?.map((target) => target.expr) ?? []),
].map((expression) => expression.replaceAll("$__rate_interval", "5m"));

/** Returns the metrics that an expression selects, each with the labels that it uses. */
function selected(expression: string): { metric: string; labels: string[] }[] {
  const found: { metric: string; labels: string[] }[] = [];
  const grouping: string[] = [];
  parser.parse(expression).iterate({
    enter: (node) => {
      const text = expression.slice(node.from, node.to);
      if (node.type.isError) throw new Error(`Invalid PromQL at ${node.from}: ${expression}`);
      if (node.name === "Identifier") found.push({ metric: text, labels: [] });
      if (node.name !== "LabelName") return;
      if (node.node.parent?.name === "GroupingLabels") grouping.push(text);
      else found.at(-1)?.labels.push(text);
    },
  });
  return found.map((each) => ({ ...each, labels: [...each.labels, ...grouping] }));
}

// Labels and metrics that Prometheus adds.
const added = { metrics: ["up"], labels: ["instance", "job"] };

let test: TestDatabase;
const started: AppProcess[] = [];
/** The name of each series with the names of all its labels, as the four apps serve them. */
const served = new Map<string, Set<string>>();

beforeAll(async () => {
  test = await createTestDatabase();
  const shared = { ROWHOUSE_SECRET: "a secret of the tests' own, long enough" };
  const metricsPorts: number[] = [];
  const start = async (app: (typeof apps)[number], environment: Record<string, string>) => {
    const METRICS_PORT = String(await findFreePort());
    metricsPorts.push(Number(METRICS_PORT));
    const process = await startApp(app, { ...shared, ...environment, METRICS_PORT });
    started.push(process);
    return process.url;
  };
  const database = { DATABASE_URL: test.url };
  const DATA_API_URL = await start("data-api", database);
  const ADMIN_API_URL = await start("admin-api", database);
  await start("workflow-worker", database);
  const url = await start("gateway", { DATA_API_URL, ADMIN_API_URL });
  // A histogram shows its labels only after its first observation.
  await fetch(`${url}/api/public/table/none`);
  for (const port of metricsPorts) {
    const answer = await fetch(`http://127.0.0.1:${port}/metrics`);
    for (const [, name = "", labels = ""] of (await answer.text()).matchAll(
      /^([a-z_]\w*)(?:\{(.*)\})? /gm,
    )) {
      const known = served.get(name) ?? new Set();
      for (const [, label = ""] of labels.matchAll(/(\w+)="/g)) known.add(label);
      served.set(name, known);
    }
    // A metric that is declared but not counted yet has only a HELP line.
  }
}, 180_000);
afterAll(async () => {
  for (const each of started.reverse()) await each.stop();
  await test.drop();
});

/** The metrics as the documentation lists them: a metric without observations shows neither series nor labels. */
function documented(): Map<string, Set<string>> {
  const lines = readText("../docs/operations/monitor.md").matchAll(
    /^\| (`rowhouse_.*?) \| (.*?) \| (.*)$/gm,
  );
  const found = new Map<string, Set<string>>();
  for (const [, names = "", labels = "", text = ""] of lines) {
    const set = new Set([...labels.matchAll(/`(\w+)`/g)].map(([, label = ""]) => label));
    for (const [, name = ""] of names.matchAll(/`(\w+)`/g)) {
      const suffixes = text.startsWith("histogram") ? ["_bucket", "_sum", "_count"] : [""];
      for (const suffix of suffixes) {
        found.set(name + suffix, suffix === "_bucket" ? new Set([...set, "le"]) : set);
      }
    }
  }
  return found;
}

describe("dashboard and alert rules", () => {
  it("use only metrics and labels that the apps serve", () => {
    const known = documented();
    const faults = expressions.flatMap(selected).flatMap(({ metric, labels }) => {
      if (added.metrics.includes(metric)) return [];
      const own = new Set([...(served.get(metric) ?? []), ...(known.get(metric) ?? [])]);
      if (!served.has(metric) && !known.has(metric)) return [`no metric ${metric}`];
      return labels
        .filter((label) => !own.has(label) && !added.labels.includes(label))
        .map((label) => `${metric} has no label ${label}`);
    });
    expect(faults).toEqual([]);
    // Most of them have appeared; the others (a run's end, a snapshot load) need an event.
    const seen = expressions.flatMap(selected).filter(({ metric }) => served.has(metric));
    expect(seen.length).toBeGreaterThan(20);
  });

  it("name each alert and each panel once, with a remedy", () => {
    const names = rules.map((rule) => rule.alert);
    expect(new Set(names).size).toBe(names.length);
    for (const rule of rules) {
      expect(["warning", "critical"]).toContain(rule.labels.severity);
      expect(rule.annotations.summary.length).toBeGreaterThan(10);
      expect(rule.annotations.description.length).toBeGreaterThan(10);
    }
    expect(new Set(panels.map((panel) => panel.id)).size).toBe(panels.length);
  });
});

describe("the collector", () => {
  interface Collector {
    readonly receivers: {
      readonly prometheus: {
        readonly config: {
          readonly scrape_configs: readonly {
            readonly job_name: string;
            readonly dns_sd_configs: readonly { readonly port: number; readonly names: string[] }[];
          }[];
        };
      };
    };
    readonly service: {
      readonly extensions: readonly string[];
      readonly pipelines: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>;
    };
  }

  it("scrapes every app at the port where the compose file serves metrics", () => {
    const collector = readYaml<Collector>("otel/collector.yaml");
    const [scrape] = collector.receivers.prometheus.config.scrape_configs;
    const compose = readYaml<{ services: Record<string, { environment: Record<string, string> }> }>(
      "compose.yaml",
    );
    expect(scrape?.dns_sd_configs[0]?.names.sort()).toEqual([...apps].sort());
    for (const app of apps) {
      expect(String(scrape?.dns_sd_configs[0]?.port)).toBe(
        compose.services[app]?.environment.METRICS_PORT,
      );
    }
    // The rule on stopped processes names the same job.
    expect(rules.find((rule) => rule.alert === "RowhouseProcessDown")?.expr).toContain(
      `job="${scrape?.job_name}"`,
    );
  });

  it("uses in its pipelines everything that it defines, and nothing else", () => {
    const collector = readYaml<Collector & Record<string, object>>("otel/collector.yaml");
    for (const kind of ["receivers", "processors", "exporters"]) {
      const used = Object.values(collector.service.pipelines).flatMap((each) => each[kind] ?? []);
      expect(new Set(used)).toEqual(new Set(Object.keys(collector[kind] ?? {})));
    }
    expect(collector.service.extensions).toEqual(Object.keys(collector.extensions ?? {}));
  });
});
