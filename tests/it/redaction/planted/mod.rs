//! Secrets planted by every door there is, and then looked for in every byte that was written, as it lies
//! and as it reads; also while it happens.

mod agents;
mod calls;
mod memory;
mod past;
mod repo;
mod search;
mod watch;
mod world;

use watch::Watch;
use world::World;

#[test]
fn no_secret_is_on_disk_whichever_door_it_came_by() {
    let mut world = World::new();
    let watch = Watch::over(&world);
    for doors in [calls::doors, agents::doors, memory::doors, repo::doors] {
        doors(&mut world);
    }
    world.read_back();
    let mut leaks = watch.end();
    leaks.extend(search::everything(&world));
    let mut told: Vec<String> = leaks.iter().map(|leak| leak.told(&world)).collect();
    told.sort_unstable();
    told.dedup();
    assert!(told.is_empty(), "{} of {} doors:\n{}", told.len(), world.doors.len(), told.join("\n"));
}
