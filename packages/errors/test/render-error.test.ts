import { describe, expect, it } from "vitest";
import { AppError, createError, createFault, errorCodes, renderError } from "../src/index.ts";

describe("rendering an error", () => {
  it("a rendered error has the faults and the request id, and nothing of its cause", () => {
    const error = createError("VALUE_INVALID", {
      path: "/data/plate",
      cause: new Error("relation secret does not exist"),
    });
    const rendered = renderError(error, "r1");
    expect(rendered.status).toBe(400);
    expect(JSON.stringify(rendered.body)).not.toContain("secret");
    expect(rendered.body).toEqual({
      errors: [
        {
          code: "VALUE_INVALID",
          message: "The value does not fit its column",
          path: "/data/plate",
        },
      ],
      meta: { requestId: "r1" },
    });
  });

  it("an error that is not an AppError is rendered without any detail", () => {
    const rendered = renderError(new TypeError("secret"), "r1");
    expect(rendered).toMatchObject({ status: 500, unexpected: true });
    expect(JSON.stringify(rendered.body)).not.toContain("secret");
  });

  it("several faults are reported together with the status of the first", () => {
    const faults = [
      createFault("FIELD_UNKNOWN", { path: "/data/a" }),
      createFault("VALUE_INVALID"),
    ] as const;
    expect(renderError(new AppError(faults), "r1").body.errors).toHaveLength(2);
  });

  it("every code has an HTTP error status", () => {
    for (const { status } of Object.values(errorCodes)) expect(status).toBeGreaterThanOrEqual(400);
  });
});
