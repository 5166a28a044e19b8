//! The data tools: one file each, none with a view.
//!
//! A tool answers a value and never a text; [`crate::tool::answer`] prints it. `catalog` lists them.

pub mod diff_files;
pub mod diff_text;
pub mod get_build_status;
pub mod get_pr_diff;
pub mod get_pull_request;
pub mod list_pr_activity;
pub mod list_pr_comments;
pub mod list_pr_tasks;
pub mod list_pull_requests;
pub mod list_required_builds;
pub mod search_repositories;
mod shapes;
mod threads;
