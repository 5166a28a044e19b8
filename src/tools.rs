//! The data tools: one file each, none with a view.
//!
//! A tool answers a value and never a text; [`crate::tool::answer`] prints it. `catalog` lists them.

pub mod add_pr_comment;
mod asking;
pub mod compare_refs;
pub mod create_branch;
pub mod create_pull_request;
pub mod create_tag;
pub mod decline_pull_request;
pub mod diff_files;
pub mod diff_text;
pub mod get_build_status;
pub mod get_commit;
pub mod get_file;
pub mod get_pr_diff;
pub mod get_pull_request;
pub mod get_repository;
pub mod list_branches;
pub mod list_commits;
pub mod list_files;
pub mod list_pr_activity;
pub mod list_pr_comments;
pub mod list_pr_tasks;
pub mod list_pull_requests;
pub mod list_required_builds;
pub mod list_tags;
pub mod merge_pull_request;
pub mod reopen_pull_request;
pub mod resolve_ref;
pub mod search_code;
pub mod search_repositories;
pub mod search_users;
pub mod set_auto_merge;
pub mod set_build_status;
mod shapes;
pub mod submit_pr_review;
mod threads;
pub mod update_pr_comment;
pub mod update_pull_request;
mod writing;
