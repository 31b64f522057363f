//! Transcripts that are read ahead of who records what they say.

use super::{ImportReport, ImportRequest, fixture, project, readable};
use crate::agents::import::intake::reader::{Step, ahead};
use crate::agents::import::stream::groups;

#[test]
fn what_is_read_comes_file_by_file_and_who_takes_no_more_ends_it() {
    let dir = tempfile::tempdir().unwrap();
    let project = project(dir.path());
    let request = ImportRequest { paths: vec![fixture("")], ..ImportRequest::default() };
    let mut files = readable(&request, &mut ImportReport::default()).unwrap();
    files.insert(1, files[0].clone());
    files[1].path = dir.path().join("gone.jsonl");
    let groups = groups(&files);
    let order = ahead(&project, files.clone(), &groups, None, |steps| {
        let mut order = String::new();
        for step in steps {
            order.push(match step {
                Step::Began(_) => 'b',
                Step::Read(_) => 'r',
                Step::Ended(_, ended) => ended.map_or('x', |()| 'e'),
                Step::Failed(failed) => {
                    assert_eq!(failed.file, 1);
                    'f'
                }
            });
        }
        order
    });
    let each: Vec<&str> = order.split_inclusive(['e', 'f']).collect();
    assert_eq!(each.len(), groups.len(), "{order}");
    assert_eq!(each.iter().filter(|it| **it == "bf").count(), 1, "{order}");
    let is_whole = |it: &&&str| it.starts_with("br") && it.ends_with("re");
    assert_eq!(each.iter().filter(is_whole).count(), groups.len() - 1, "{order}");
    let first = ahead(&project, files, &groups, None, |steps| steps.recv().is_ok());
    assert!(first);
}
