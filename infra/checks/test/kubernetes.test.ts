import { ScaledObject, TriggerAuthentication } from "@kubernetes-models/keda/keda.sh/v1alpha1";
import { createTestDatabase } from "@rowhouse/testing";
import { Deployment } from "kubernetes-models/apps/v1";
import { HorizontalPodAutoscaler } from "kubernetes-models/autoscaling/v2";
import { Ingress, NetworkPolicy } from "kubernetes-models/networking.k8s.io/v1";
import { PodDisruptionBudget } from "kubernetes-models/policy/v1";
import { ConfigMap, Namespace, Service } from "kubernetes-models/v1";
import { describe, expect, it } from "vitest";
import { apps, readDocuments, readEnvironmentFile, readYaml, unknownVariables } from "./files.ts";

interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string };
}

// Each validates itself against the schema of the API server.
const models = {
  "apps/v1 Deployment": Deployment,
  "autoscaling/v2 HorizontalPodAutoscaler": HorizontalPodAutoscaler,
  "keda.sh/v1alpha1 ScaledObject": ScaledObject,
  "keda.sh/v1alpha1 TriggerAuthentication": TriggerAuthentication,
  "networking.k8s.io/v1 Ingress": Ingress,
  "networking.k8s.io/v1 NetworkPolicy": NetworkPolicy,
  "policy/v1 PodDisruptionBudget": PodDisruptionBudget,
  "v1 ConfigMap": ConfigMap,
  "v1 Namespace": Namespace,
  "v1 Service": Service,
} as const;

interface Kustomization {
  readonly resources: readonly string[];
  readonly images?: readonly { readonly name: string }[];
  readonly patches?: readonly {
    readonly path: string;
    readonly target: { readonly kind: string; readonly name: string };
  }[];
  readonly namespace?: string;
}

/** Operations on a manifest (RFC 6902), or a partial manifest with the parts to remove. */
type Patch =
  | {
      readonly op: string;
      readonly path: string;
      readonly value: { readonly name: string; readonly value: string };
    }[]
  | {
      readonly metadata: { readonly name: string };
      readonly spec: {
        readonly template: {
          readonly spec: {
            readonly containers: readonly {
              readonly name: string;
              readonly env: readonly { readonly name: string; readonly $patch: string }[];
            }[];
          };
        };
      };
    };

const base = "kubernetes/base";
const overlay = "kubernetes/overlays/example";
const filesOf = (folder: string) =>
  readYaml<Kustomization>(`${folder}/kustomization.yaml`)
    .resources.filter((path) => path.endsWith(".yaml"))
    .map((path) => `${folder}/${path}`);
const manifests = [...filesOf(base), ...filesOf(overlay)].flatMap(readDocuments<Manifest>);

const find = <Kind extends InstanceType<typeof Deployment | typeof Service | typeof ConfigMap>>(
  kind: string,
  name: string,
): Kind => {
  const found = manifests.find((each) => each.kind === kind && each.metadata.name === name);
  if (found === undefined) throw new Error(`There is no ${kind} ${name}`);
  return found as unknown as Kind;
};
const secrets = readEnvironmentFile(`${overlay}/secrets.env.example`);
const podOf = (app: string) => {
  const spec = find<Deployment>("Deployment", app).spec?.template.spec;
  const [container] = spec?.containers ?? [];
  if (spec === undefined || container === undefined) throw new Error(`${app} has no container`);
  return { spec, container };
};

/** The ConfigMap of the base, and as merged with the example overlay. */
const baseSettings = find<ConfigMap>("ConfigMap", "rowhouse").data ?? {};
const overlaySettings = readYaml<ConfigMap>(`${overlay}/settings.yaml`).data ?? {};

/** The environment of a pod, with the ConfigMap and the overlay's example of the Secret. */
function environmentOf(
  app: string,
  given: Readonly<Record<string, string>> = secrets.set,
): Record<string, string> {
  const { container } = podOf(app);
  expect(container.envFrom).toEqual([{ configMapRef: { name: "rowhouse" } }]);
  const own = (container.env ?? []).flatMap(({ name, value, valueFrom }) => {
    const { key = "", optional } = valueFrom?.secretKeyRef ?? {};
    const found = value ?? given[key];
    if (found === undefined && optional !== true) throw new Error(`${app}: no source for ${name}`);
    return found === undefined ? [] : [[name, found] as const];
  });
  return { ...baseSettings, ...overlaySettings, ...Object.fromEntries(own) };
}

describe("the manifests", () => {
  it.each(manifests.map((each) => [each.kind, each.metadata.name, each] as const))(
    "%s %s is accepted by the API server's schema",
    (_kind, _name, manifest) => {
      const key = `${manifest.apiVersion} ${manifest.kind}`;
      const Model = models[key as keyof typeof models];
      expect([key, Model === undefined]).toEqual([key, false]);
      expect(() => new Model(manifest as never).validate()).not.toThrow();
      const broken = { ...manifest, spec: 1, data: 1 };
      if (manifest.kind !== "Namespace") {
        expect(() => new Model(broken as never).validate()).toThrow();
      }
    },
  );

  it("give the same queue to the processes that start runs and to those that execute them", () => {
    const queues = ["data-api", "admin-api", "workflow-worker"].map(
      (app) => environmentOf(app).REDIS_URL,
    );
    expect(new Set(queues)).toEqual(new Set([secrets.set.REDIS_URL]));
  });

  it.each(apps)("give %s every required variable", (app) => {
    unknownVariables(app, environmentOf(app));
    const unknown = unknownVariables(
      app,
      environmentOf(app, { ...secrets.set, ...secrets.optional }),
    );
    // All apps share the ConfigMap; each app reads only the variables that it knows.
    const shared = Object.keys({ ...baseSettings, ...overlaySettings });
    expect(unknown.filter((name) => !shared.includes(name))).toEqual([]);
    for (const name of shared) {
      expect([
        name,
        apps.some((each) => !unknownVariables(each, environmentOf(each)).includes(name)),
      ]).toEqual([name, true]);
    }
  });

  it("use every secret of the example", () => {
    const text = JSON.stringify(manifests);
    expect(
      Object.keys({ ...secrets.set, ...secrets.optional }).filter(
        (name) => !text.includes(`"key":"${name}"`),
      ),
    ).toEqual([]);
  });

  it.each(apps)("run %s unprivileged, and probe paths and ports that it serves", (app) => {
    const { spec, container } = podOf(app);
    const environment = environmentOf(app);
    expect(container.command).toEqual(["node", "dist/main.js"]);
    expect(spec.securityContext).toMatchObject({ runAsNonRoot: true });
    expect(spec.automountServiceAccountToken).toBe(false);
    expect(container.securityContext).toMatchObject({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ["ALL"] },
    });
    expect(container.ports).toEqual([
      { name: "http", containerPort: Number(environment.PORT) },
      { name: "metrics", containerPort: Number(environment.METRICS_PORT) },
    ]);
    for (const [probe, path] of [
      [container.startupProbe, "/livez"],
      [container.livenessProbe, "/livez"],
      [container.readinessProbe, "/readyz"],
    ] as const) {
      expect(probe?.httpGet).toEqual({ path, port: "http" });
    }
    // Drain and stop take less time than the kubelet waits before it kills.
    const stopMs = Number(environment.DRAIN_MS ?? 0) + 15_000;
    expect((spec.terminationGracePeriodSeconds ?? 0) * 1000).toBeGreaterThan(stopMs);
  });

  it("send requests only to ports with a listener", () => {
    const gateway = environmentOf("gateway");
    for (const app of apps.filter((each) => each !== "workflow-worker")) {
      const service = find<Service>("Service", app).spec;
      const port = Number(environmentOf(app).PORT);
      expect(service?.selector).toEqual({ "app.kubernetes.io/name": app });
      expect(service?.ports).toEqual([{ name: "http", port, targetPort: "http" }]);
      if (app === "data-api") expect(gateway.DATA_API_URL).toBe(`http://data-api:${port}`);
      if (app === "admin-api") expect(gateway.ADMIN_API_URL).toBe(`http://admin-api:${port}`);
    }
  });

  it("make the metrics of every process reachable by a name that resolves to all of them", () => {
    for (const app of apps) {
      const service = find<Service>("Service", `${app}-metrics`).spec;
      const port = Number(environmentOf(app).METRICS_PORT);
      expect(service).toMatchObject({
        clusterIP: "None",
        selector: { "app.kubernetes.io/name": app },
        ports: [{ name: "metrics", port, targetPort: "metrics" }],
      });
    }
    interface Scrapes {
      readonly receivers: {
        readonly prometheus: {
          readonly config: {
            readonly scrape_configs: readonly {
              readonly job_name: string;
              readonly dns_sd_configs: readonly {
                readonly port: number;
                readonly names: string[];
              }[];
            }[];
          };
        };
      };
    }
    const scrapesOf = (file: string) =>
      readYaml<Scrapes>(file).receivers.prometheus.config.scrape_configs;
    const { namespace } = readYaml<Kustomization>(`${overlay}/kustomization.yaml`);
    const [scrape] = scrapesOf("otel/kubernetes.yaml");
    expect(scrape?.job_name).toBe(scrapesOf("otel/collector.yaml")[0]?.job_name);
    expect(scrape?.dns_sd_configs).toEqual([
      {
        type: "A",
        port: 9464,
        names: apps.map((app) => `${app}-metrics.${namespace}.svc.cluster.local`),
      },
    ]);
  });

  it("leave the values of an installation to the overlay, and contain no example in the base", () => {
    const values = filesOf(base).flatMap((file) => readDocuments(file));
    expect(JSON.stringify(values)).not.toContain("example.com");
    expect(Object.keys(overlaySettings).sort()).toEqual([
      "MAIL_FROM",
      "PUBLIC_URL",
      "ROWHOUSE_ADMIN_EMAIL",
      "S3_BUCKET",
      "S3_REGION",
    ]);
    expect(Object.keys(baseSettings).filter((name) => name in overlaySettings)).toEqual([]);
  });

  it("permit the services to reach databases, poolers, Redis, mail and the hosts of workflows at their usual ports", () => {
    const policies = manifests.filter(
      (each) => each.kind === "NetworkPolicy",
    ) as unknown as NetworkPolicy[];
    const outside = policies.find((each) => each.metadata?.name === "stores-and-outside");
    const open = outside?.spec?.egress?.flatMap(
      (rule) => rule.ports?.map(({ port }) => port) ?? [],
    );
    expect(open).toEqual(expect.arrayContaining([5432, 6432, 6379, 80, 443, 465, 587]));
    // Including the example's addresses.
    const urls = Object.values({ ...secrets.set, ...secrets.optional }).filter((value) =>
      /^[a-z]+:\/\/.*:\d+/.test(value),
    );
    expect(urls.length).toBeGreaterThan(4);
    for (const url of urls) expect(open).toContain(Number(new URL(url).port || 443));
  });

  it("let the public reach only the gateway's port", () => {
    const policies = manifests.filter(
      (each) => each.kind === "NetworkPolicy",
    ) as unknown as NetworkPolicy[];
    const open = policies.flatMap((each) => {
      const rules = each.spec?.ingress?.filter((rule) => rule.from === undefined) ?? [];
      const ports = rules.flatMap((rule): unknown[] => rule.ports ?? ["every port"]);
      return ports.map((port) => [each.spec?.podSelector, port]);
    });
    const gateway = { matchLabels: { "app.kubernetes.io/name": "gateway" } };
    const port = Number(environmentOf("gateway").PORT);
    expect(open).toEqual([[gateway, { protocol: "TCP", port }]]);
    const deny = policies.find((each) => each.metadata?.name === "default-deny");
    expect(deny?.spec).toEqual({ podSelector: {}, policyTypes: ["Ingress", "Egress"] });
  });

  it("keep one process of each app during a disruption, and scale only existing deployments", () => {
    const budgets = manifests.filter((each) => each.kind === "PodDisruptionBudget");
    expect(budgets.map((each) => each.metadata.name).sort()).toEqual([...apps].sort());
    for (const each of manifests as readonly (Manifest & {
      spec?: { scaleTargetRef?: { name: string } };
    })[]) {
      const target = each.spec?.scaleTargetRef?.name;
      if (target !== undefined) expect(apps).toContain(target);
    }
  });

  it("count runs for the scaler with statements that the database accepts", async () => {
    const scaled = manifests.find(
      (each) => each.kind === "ScaledObject",
    ) as unknown as ScaledObject;
    const queries = (scaled.spec?.triggers ?? []).map((each) => each.metadata.query ?? "");
    expect(queries).toHaveLength(2);
    const { database, drop } = await createTestDatabase();
    for (const query of queries) {
      const [row] = await database.query<Record<string, unknown>>(query);
      expect(Object.values(row ?? {}).map(Number)).toEqual([0]);
    }
    await drop();
  });
});

it("the example overlay patches and renames only objects of the base", () => {
  const { patches, images } = readYaml<Kustomization>(`${overlay}/kustomization.yaml`);
  expect(images?.map((each) => each.name).sort()).toEqual(
    apps.map((app) => podOf(app).container.image ?? "").sort(),
  );
  for (const { path, target } of patches ?? []) {
    if (target.kind === "ConfigMap") {
      const patch = readYaml<ConfigMap>(`${overlay}/${path}`);
      expect(patch.metadata?.name).toBe(find<ConfigMap>("ConfigMap", target.name).metadata?.name);
      continue;
    }
    const app = apps.find((each) => each === target.name);
    if (app === undefined || target.kind !== "Deployment") throw new Error(`${path} fits nothing`);
    const unpatched = podOf(app).container.env ?? [];
    const patch = readYaml<Patch>(`${overlay}/${path}`);
    if (Array.isArray(patch)) {
      for (const { op, path: place, value } of patch) {
        expect([op, place]).toEqual(["add", "/spec/template/spec/containers/0/env/-"]);
        const environment = { ...environmentOf(app), [value.name]: value.value };
        expect(unknownVariables(app, environment)).not.toContain(value.name);
      }
      continue;
    }
    const [container] = patch.spec.template.spec.containers;
    expect([patch.metadata.name, container?.name]).toEqual([app, podOf(app).container.name]);
    for (const { name, $patch } of container?.env ?? []) {
      expect([$patch, unpatched.some((each) => each.name === name)]).toEqual(["delete", true]);
      const { [name]: _, ...environment } = environmentOf(app);
      expect(unknownVariables(app, environment)).not.toContain(name);
    }
  }
});
