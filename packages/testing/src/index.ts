export { findFreePort } from "./free-port.ts";
export { createTestDatabase, type TestDatabase } from "./test-database.ts";
