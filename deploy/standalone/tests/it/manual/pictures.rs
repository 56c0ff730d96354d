//! deploy/manual/pictures.md: pictures move from the folder to a bucket of moto, a server of S3, and live there.

use std::{
    fs,
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    time::Duration,
};

use base64::{Engine as _, prelude::BASE64_STANDARD};
use chassis::config::Source;
use picture_store::Pictures;
use primitives::clock::Clock;
use reqwest::{Method, header};
use serde_json::{Value, json};

use super::{
    backup::{post, wait_until},
    shell::{Server, Shell},
};
use crate::{
    browser::Browser,
    matrix::fixture::PNG,
    processes::{Processes, free_port},
};

pub const BLOCKS: &[&str] = &["create-bucket", "copy-pictures", "compare-pictures"];

/// The processes that know the store.
const PROCESSES: [&str; 3] = ["profile", "feed", "gateway"];

/// The packages moto and awscli in the folder of `PORTIA_TEST_S3`, which `cargo xtask test` sets; `None` without it.
fn packages() -> Option<PathBuf> {
    let folder = std::env::var_os("PORTIA_TEST_S3").map(PathBuf::from);
    if folder.is_none() {
        eprintln!("the blocks do not run: PORTIA_TEST_S3 names no folder with moto and awscli");
    }
    folder
}

/// A server of S3; it ends with the value.
struct S3 {
    endpoint: String,
    server: Child,
}

impl S3 {
    async fn start(packages: &Path) -> Self {
        let port = free_port();
        let server = Command::new("python3")
            .arg(packages.join("bin/moto_server"))
            .args(["--host", "127.0.0.1", "--port", &port.to_string()])
            .env("PYTHONPATH", packages)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("moto needs python3");
        let s3 = Self { endpoint: format!("http://127.0.0.1:{port}"), server };
        wait_until("S3 answers", async || reqwest::get(&s3.endpoint).await.is_ok()).await;
        s3
    }

    /// The keys of the objects and how many bytes each has, as XML.
    async fn objects(&self) -> String {
        reqwest::get(format!("{}/portia-pictures?list-type=2", self.endpoint)).await.unwrap().text().await.unwrap()
    }

    /// The variables of a client.
    fn variables(&self) -> [(&'static str, &str); 5] {
        [
            ("AWS_ENDPOINT", &self.endpoint),
            ("AWS_ALLOW_HTTP", "true"),
            ("AWS_REGION", "us-east-1"),
            ("AWS_ACCESS_KEY_ID", "portia"),
            ("AWS_SECRET_ACCESS_KEY", "secret"),
        ]
    }
}

impl Drop for S3 {
    fn drop(&mut self) {
        self.server.kill().ok();
        self.server.wait().ok();
    }
}

/// Sets the picture of a member. Returns its address.
async fn set_avatar(member: &mut Browser, id: &str) -> String {
    let picture = json!({"avatarUrl": format!("data:image/png;base64,{PNG}")});
    let user = member.send(Method::PATCH, &format!("/api/users/{id}"), Some(picture), &[]).await.expect(200);
    user["avatarUrl"].as_str().unwrap().to_owned()
}

/// Creates a post with a picture. Returns its id and the address of the picture.
async fn post_picture(base: &str, author: &mut Browser) -> [String; 2] {
    let client = reqwest::Client::builder().timeout(Duration::from_secs(20)).build().unwrap();
    let upload = client
        .post(format!("{base}/api/pictures"))
        .header("sec-fetch-site", "same-origin")
        .header(header::COOKIE, author.cookie())
        .header(header::CONTENT_TYPE, "image/png")
        .body(BASE64_STANDARD.decode(PNG).unwrap());
    let uploaded: Value = serde_json::from_str(&upload.send().await.unwrap().text().await.unwrap()).unwrap();
    let body = json!({"content": "With a picture", "pictureId": uploaded["id"]});
    let post = author.post("/api/posts", body).await.expect(201);
    let address = post["pictures"][0]["url"].as_str().or(post["pictureUrl"].as_str());
    [post["id"].as_str().unwrap().to_owned(), address.unwrap_or_else(|| panic!("{post}")).to_owned()]
}

/// The status and the file of a picture.
async fn read(base: &str, address: &str) -> (u16, Vec<u8>) {
    let response = reqwest::get(format!("{base}{address}")).await.unwrap();
    (response.status().as_u16(), response.bytes().await.unwrap().to_vec())
}

/// The name of the object of an address: the file without its signature.
fn name(address: &str) -> &str {
    address.rsplit('/').next().unwrap().split('?').next().unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn pictures_move_to_a_bucket_and_live_there() {
    let Some(packages) = packages() else { return };
    let s3 = S3::start(&packages).await;
    let mut processes = Processes::start(&[]).await;
    let base = processes.base.clone();
    let pictures = processes.folder().join("pictures");
    let none = Server { port: 0, password: String::new() };
    let mut shell = Shell::new(&none, &[("PICTURES", &pictures), ("PYTHONPATH", &packages)]);
    shell.add_programs(&packages.join("bin"));
    for (name, value) in s3.variables() {
        shell.set(name, value);
    }
    shell.set("AWS_ENDPOINT_URL", &s3.endpoint);
    shell.set("BUCKET", "portia-pictures");
    shell.set("PRINCIPAL", "arn:aws:iam::123456789012:user/portia");

    let mut member = Browser::new(&base);
    let id = member.register("has.pictures").await;
    let avatar = set_avatar(&mut member, &id).await;
    let [_, posted] = post_picture(&base, &mut member).await;
    let before = [read(&base, &avatar).await, read(&base, &posted).await];
    assert!(before.iter().all(|(status, file)| *status == 200 && file.starts_with(&[0xff, 0xd8])));

    shell.run("create-bucket");
    shell.run("copy-pictures");
    shell.run("compare-pictures");
    let [deleted, meanwhile] = post_picture(&base, &mut member).await;
    assert!(shell.refused("compare-pictures").contains(name(&meanwhile)));
    for service in ["profile", "feed"] {
        processes.stop(service).await;
    }
    shell.run("copy-pictures");
    shell.run("compare-pictures");
    processes.stop("gateway").await;
    for process in PROCESSES {
        processes.set(process, "PORTIA_PICTURES_URL", "s3://portia-pictures");
        for (name, value) in s3.variables() {
            processes.set(process, name, value);
        }
        processes.spawn(process);
    }
    fs::rename(&pictures, pictures.with_file_name("no-pictures")).unwrap();
    processes.wait_until_ready().await;
    let mut visitor = Browser::new(&base);
    processes.wait_for_status(&mut visitor, &format!("/api/users/{id}/profile"), 200).await;
    assert_eq!([read(&base, &avatar).await, read(&base, &posted).await], before);
    assert_eq!(read(&base, &meanwhile).await.0, 200);

    let [_, new] = post_picture(&base, &mut member).await;
    assert_eq!(read(&base, &new).await.0, 200);
    let objects = s3.objects().await;
    assert!([&avatar, &posted, &meanwhile, &new].iter().all(|address| objects.contains(name(address))), "{objects}");
    // Runs the cleanup that feed runs every five minutes.
    member.send(Method::DELETE, &format!("/api/posts/{deleted}"), None, &[]).await;
    let config = s3.variables().map(|(name, value)| (name.to_lowercase(), value));
    let config = Source::default()
        .with("pictures_url", "s3://portia-pictures")
        .with("aws", config.into_iter().collect::<std::collections::BTreeMap<_, _>>());
    let db = sqlx::PgPool::connect_with(processes.database("feed")).await.unwrap();
    let store = Pictures::open(&config).unwrap().signed();
    assert_eq!(feed::pictures::delete_unused(&db, &store, Clock::system().now()).await.unwrap(), 1);
    assert!(!s3.objects().await.contains(name(&meanwhile)));
    assert_eq!(read(&base, &meanwhile).await.0, 404);

    drop(s3);
    assert_eq!(read(&base, &avatar).await.0, 503);
    post(&mut member, "Without pictures").await;
    shell.finish(BLOCKS);
}
