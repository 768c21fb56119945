//! Uses the client that progenitor makes.
use client::{Client, Error, types};

type Failure = Box<dyn std::error::Error>;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Failure> {
    let token = format!("Bearer {}", std::env::var("CMS_TOKEN")?);
    let headers = [(reqwest::header::AUTHORIZATION, token.parse()?)];
    let http = reqwest::Client::builder()
        .default_headers(headers.into_iter().collect())
        .build()?;
    let cms = Client::new_with_client(&std::env::var("CMS_URL")?, http);

    let new = types::PostCreate::builder()
        .title("Made")
        .rating(4.0)
        .section("News".parse::<types::Section>()?)
        .status("published".parse::<types::PostCreateStatus>()?);
    let made = cms.create_post().body(new).send().await?;
    let id = made.id.to_string();
    let read = cms.get_post().id(id.as_str()).send().await?;
    let patch = types::PostPatch::builder().rating(5.0);
    let changed = cms.update_post().id(id.as_str()).body(patch).send().await?;
    let list = cms.list_posts().send().await?;
    let gone = cms.delete_post().id(id.as_str()).send().await?;
    println!(
        "{} {} {} {} {}",
        read.title.as_str(),
        read.section.ok_or("no section")?,
        changed.rating.ok_or("no rating")?,
        list.meta.total,
        gone.status().as_u16(),
    );
    match cms.get_post().id(id.as_str()).send().await {
        Err(Error::ErrorResponse(missing)) => println!("{}", missing.error.code),
        other => return Err(format!("{other:?}").into()),
    }
    Ok(())
}
