export { findFreePort } from "./free-port.ts";
export { createTestDatabase, type TestDatabase } from "./test-database.ts";
export { createRole, createSession, createUser, expose, type TestUser } from "./world.ts";
