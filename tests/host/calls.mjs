// One call of every tool, in an order in which all of them succeed on a fresh stand-in.
// The only file of these tests that knows the stand-in's world: fixtures/world/README.md. Start at `calls`.

import { readStandin } from "./support.mjs";

/** How many answers a client may need to all calls. */
export const CALLS_TIMEOUT_MS = 120_000;

/**
 * A call that works: reading tools first, then those that write; `asks` where the person is asked before.
 * @typedef {{tool: string, args: object, asks?: true, says: string}} Call `says` stands in the answer's text
 */

/**
 * The calls, with ids of commits as this stand-in has them.
 * @returns {Promise<Call[]>}
 */
export async function calls(standin) {
  const rocket = (more = {}) => ({ project: "ACME", repo: "rocket", ...more });
  const branches = await readStandin(standin, "/rest/api/latest/projects/ACME/repos/rocket/branches?limit=100");
  const tip = (name) => branches.values.find((branch) => branch.displayId === name).latestCommit;
  const igniter = tip("feature/igniter");
  return [
    { tool: "get_pull_request", args: rocket({ id: 42 }), says: "Light the engine" },
    { tool: "list_pull_requests", args: rocket({ state: "ALL" }), says: '"pull_requests"' },
    { tool: "get_pr_diff", args: rocket({ id: 42, path: "engine/pump.rs" }), says: "=== Modified engine/pump.rs" },
    { tool: "list_pr_comments", args: rocket({ id: 42, state: "open" }), says: '"threads"' },
    { tool: "list_pr_tasks", args: rocket({ id: 42 }), says: '"tasks"' },
    { tool: "list_pr_activity", args: rocket({ id: 42, limit: 5 }), says: "Petra Quill" },
    { tool: "get_build_status", args: rocket({ id: 42 }), says: '"builds"' },
    { tool: "list_required_builds", args: rocket({ target_branch: "main" }), says: "ci/test" },
    { tool: "search_repositories", args: { name: "rocket" }, says: "ACME/rocket" },
    { tool: "get_repository", args: rocket(), says: '"repository":"ACME/rocket"' },
    { tool: "list_branches", args: rocket({ filter: "feature" }), says: "feature/igniter" },
    { tool: "list_tags", args: rocket(), says: "v1.5.0" },
    { tool: "resolve_ref", args: rocket({ ref: "main" }), says: '"tag"' },
    { tool: "list_files", args: rocket({ path: "engine" }), says: "pump.rs" },
    { tool: "get_file", args: rocket({ path: "VERSION" }), says: "1.4.0" },
    { tool: "search_code", args: rocket({ query: "pressure" }), says: "engine/pump.rs" },
    { tool: "search_users", args: { text: "idris" }, says: "Idris Vale" },
    { tool: "list_commits", args: rocket({ id: 42 }), says: "Add the igniter" },
    { tool: "get_commit", args: rocket({ commit_id: igniter }), says: "engine/pump.rs" },
    { tool: "compare_refs", args: rocket({ from: "feature/igniter", to: "main" }), says: "Add the igniter" },

    { tool: "create_branch", args: rocket({ name: "feature/new", start_point: "main" }), says: "feature/new" },
    {
      tool: "create_pull_request",
      args: rocket({ title: "Fly on steam after all", source_branch: "feature/steam", reviewers: ["idris.vale"] }),
      says: "Fly on steam after all",
    },
    { tool: "add_pr_comment", args: rocket({ id: 42, text: "Why **this**?", path: "engine/pump.rs", line: 37 }), says: '"id"' },
    { tool: "update_pr_comment", args: rocket({ id: 42, comment_id: 405, resolved: true }), says: "RESOLVED" },
    { tool: "update_pull_request", args: rocket({ id: 43, draft: false }), asks: true, says: '"state":"OPEN"' },
    { tool: "submit_pr_review", args: rocket({ id: 44, action: "approve" }), asks: true, says: "APPROVED" },
    {
      tool: "set_build_status",
      args: rocket({ commit_id: igniter, key: "ENGINE", state: "SUCCESSFUL", url: "https://ci.example.com/7" }),
      asks: true,
      says: "ENGINE",
    },
    { tool: "create_tag", args: rocket({ name: "v9.9.9", start_point: "main" }), asks: true, says: "v9.9.9" },
    { tool: "set_auto_merge", args: rocket({ id: 42, enabled: true }), asks: true, says: '"id"' },
    { tool: "merge_pull_request", args: rocket({ id: 54, strategy: "squash" }), asks: true, says: "MERGED" },
    { tool: "decline_pull_request", args: rocket({ id: 47 }), asks: true, says: "DECLINED" },
    { tool: "reopen_pull_request", args: rocket({ id: 39 }), asks: true, says: "OPEN" },
  ];
}

/** The names of the data tools of a list, in order: `show` and what goes with it read nothing for the model. */
export function dataTools(tools) {
  const ofViews = ["show", "refresh_view", "suggest_form_values"];
  return tools.map(({ name }) => name).filter((name) => !ofViews.includes(name)).sort();
}
