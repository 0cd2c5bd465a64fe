use klast_dynamics::scenes::*; use klast_dynamics::*; use std::time::Instant;
fn main(){ let d="/work/shared/data/bench"; let poses=parse_poses(&std::fs::read_to_string(format!("{d}/w3.txt")).unwrap()).unwrap();
 let a:Vec<String>=std::env::args().collect();
 let shapes=cubes().unwrap(); let mut w=pour(&shapes,&poses,WorldSettings{parallel:false,..Default::default()}).unwrap();
 let from:f64=a[1].parse().unwrap(); while w.time()<from {w.step().unwrap();}
 let mut s=*w.settings(); s.effort=Effort::Residual{tolerance:1e-6,sweeps:a[3].parse().unwrap()}; w.set_settings(s).unwrap();
 for k in 0..a[2].parse().unwrap() { let t=Instant::now(); let r=w.step().unwrap(); println!("{k} t {:.3} contacts {} islands {} sweeps {} res {:.1e} unconv {} {:.1} ms deepest {:.1e}", r.time,r.contacts,r.islands,r.sweeps,r.residual,r.unconverged,t.elapsed().as_secs_f64()*1e3,r.deepest);} }
